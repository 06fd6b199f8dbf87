<?php
# An extension that replaces a module of core: its prop=redirects goes on by values of three parts.
$wgExtensionCredits['api'][] = [ 'path' => __FILE__, 'name' => 'LabRedirects', 'license-name' => 'GPL-2.0-or-later' ];
$wgAPIPropModules['redirects'] = [ 'class' => 'LabRedirects' ];
$wgAutoloadClasses['LabRedirects'] = __DIR__ . '/LabRedirects.php';

# A parameter that no module describes and that the parser's answer depends on, as DiscussionTools has dtenable.
$wgHooks['ParserAfterTidy'][] = static function ( $parser, &$text ) {
	if ( RequestContext::getMain()->getRequest()->getRawVal( 'dtenable' ) ) {
		$text .= '<p>dtenable</p>';
	}
};
