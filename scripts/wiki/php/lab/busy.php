<?php
# A search that refuses for a moment, as CirrusSearch does: every request for one is refused first, and answered when tried again.
$wgHooks['ApiCheckCanExecute'][] = static function ( $module, $user, &$message ) {
	$params = $module->getRequest()->getValues();
	$searched = ( $params['list'] ?? '' ) . '|' . ( $params['generator'] ?? '' ) . '|' . ( $params['action'] ?? '' );
	if ( !preg_match( '/search/', $searched ) ) {
		return true;
	}
	ksort( $params );
	$mark = sys_get_temp_dir() . '/refused-' . md5( json_encode( $params ) );
	if ( is_file( $mark ) ) {
		unlink( $mark );
		return true;
	}
	touch( $mark );
	$message = new ApiRawMessage( 'Search is currently too busy. Please try again later.', 'cirrussearch-too-busy-error' );
	return false;
};
