<?php
# Settings of every wiki of the lab: nothing here depends on the machine, the folder or the moment.
# lab.json beside this file says which wiki it is; the environment says on which port it is being served.
if ( !defined( 'MEDIAWIKI' ) ) {
	exit;
}
error_reporting( 0 );
ini_set( 'display_errors', '0' );

$labWiki = json_decode( file_get_contents( __DIR__ . '/lab.json' ), true );

# Name and place
$wgSitename = 'Лаборатория';
$wgMetaNamespace = 'Проект';
$wgServer = getenv( 'WIKITAPE_LAB_SERVER' ) ?: 'http://127.0.0.1';
$wgScriptPath = '/w';
$wgResourceBasePath = '/w';
$wgLanguageCode = 'ru';
$wgLocaltimezone = 'UTC';
$wgSecretKey = str_repeat( '5ec4e7', 10 );
$wgUpgradeKey = '0123456789abcdef';
$wgAuthenticationTokenVersion = '1';
$wgDefaultSkin = 'vector';
wfLoadSkin( 'Vector' );

# Database: one file a wiki. The lab can be rebuilt at any time, so it need not survive a power cut.
# MediaWiki itself adds trxMode: a reading request must not wait for the lock that a writing one takes.
$wgDBtype = 'sqlite';
$wgDBname = $labWiki['database'];
$wgSQLiteDataDir = dirname( __DIR__, 2 ) . '/data';
$wgDBservers = [ [
	'type' => 'sqlite',
	'dbname' => $wgDBname,
	'host' => '',
	'user' => '',
	'password' => '',
	'load' => 1,
	'flags' => 0,
	'variables' => [ 'synchronous' => 'OFF' ],
] ];
$wgSharedTables[] = 'actor';

# Caches: none that an earlier request could fill, so that an answer depends on its request alone.
$wgMainCacheType = CACHE_NONE;
$wgMessageCacheType = CACHE_NONE;
$wgParserCacheType = CACHE_NONE;
$wgSessionCacheType = CACHE_DB;
$wgObjectCaches[CACHE_DB] = [
	'class' => 'SqlBagOStuff',
	'loggroup' => 'SQLBagOStuff',
	'server' => [
		'type' => 'sqlite',
		'dbname' => 'wikicache',
		'tablePrefix' => '',
		'variables' => [ 'synchronous' => 'OFF' ],
		'dbDirectory' => $wgSQLiteDataDir,
		'trxMode' => 'IMMEDIATE',
		'flags' => 0,
	],
];
$wgCacheDirectory = dirname( __DIR__, 2 ) . '/cache';
$wgLocalisationCacheConf['store'] = 'array';
$wgLocalisationCacheConf['manualRecache'] = false;
$wgInvalidateCacheOnLocalSettingsChange = false;
$wgJobRunRate = 0;

# What the tests look at: debuginfo in every answer, a history that never expires, no limits on the caller.
$wgDebugToolbar = true;
$wgRCMaxAge = 100 * 365 * 86400;
$wgRateLimits = [];
$wgPasswordAttemptThrottle = [];
$wgAccountCreationThrottle = [];
$wgEnableBotPasswords = true;
$wgEnableEmail = false;
$wgPingback = false;
$wgUseRCPatrol = true;
$wgMaxArticleSize = 2048;
$wgNamespacesWithSubpages[NS_MAIN] = true;

# Files
$wgEnableUploads = true;
$wgUseImageMagick = false;
$wgGenerateThumbnailOnParse = false;
$wgVerifyMimeType = false;
$wgStrictFileExtensions = false;
$wgCheckFileExtensions = false;
$wgFileExtensions = [ 'png', 'gif', 'jpg', 'jpeg', 'svg', 'pdf' ];
$wgNativeImageLazyLoading = false;

# Extensions that all three versions carry.
foreach ( [ 'Cite', 'Gadgets', 'PageImages', 'ParserFunctions', 'TemplateData', 'TextExtracts' ] as $labExtension ) {
	wfLoadExtension( $labExtension );
}

# <prop name="x">value</prop> stores a page property, as many extensions do: core alone has too few names to list.
$wgHooks['ParserFirstCallInit'][] = static function ( $parser ) {
	$parser->setHook( 'prop', static function ( $value, $arguments, $parser ) {
		$output = $parser->getOutput();
		$set = method_exists( $output, 'setPageProperty' ) ? 'setPageProperty' : 'setProperty';
		$output->$set( $arguments['name'] ?? 'lab', (string)$value );
		return '';
	} );
};

# With $wgDebugToolbar an answer names the thousand files that made it. The size of each is a message, parsed anew each time:
# more than half of the time of a request. While that list is made, each message is parsed once. No byte differs.
$wgHooks['MessagesPreLoad'][] = static function ( $title, &$message, $code ) {
	static $isParsing = false;
	if ( $isParsing || !str_starts_with( $title, 'Size-' ) ) {
		return;
	}
	$callers = array_column( debug_backtrace( DEBUG_BACKTRACE_IGNORE_ARGS, 24 ), 'function' );
	if ( in_array( 'getFilesIncluded', $callers, true ) ) {
		$isParsing = true;
		$message = wfMessage( lcfirst( strtok( $title, '/' ) ) )->inLanguage( $code )->text();
		$isParsing = false;
	}
};
