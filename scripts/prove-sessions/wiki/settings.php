
# What the proof of sessions needs beside the lab's settings (scripts/prove-sessions/wiki.ts appends this).
$wgDebugToolbar = false;
foreach ( [ 'AbuseFilter', 'DiscussionTools', 'Echo', 'Linter', 'Thanks', 'VisualEditor' ] as $one ) {
	if ( is_file( "$IP/extensions/$one/extension.json" ) ) {
		wfLoadExtension( $one );
	}
}
$wgGroupPermissions['sysop']['hideuser'] = true;
$wgGroupPermissions['sysop']['deleterevision'] = true;
$wgGroupPermissions['sysop']['deletelogentry'] = true;
$wgGroupPermissions['sysop']['abusefilter-log-private'] = true;
$wgGroupPermissions['sysop']['userrights'] = true;
$wgGroupPermissions['sysop']['managechangetags'] = true;
$wgGroupPermissions['sysop']['editcontentmodel'] = true;
$wgGroupPermissions['user']['applychangetags'] = true;
$wgAllowUserCss = true;
$wgMaxWikitextLength = 100;
$wgMinUploadChunkSize = 16;
$wgThanksConfirmationRequired = false;
$wgEchoUseJobQueue = false;
$wgAutoConfirmCount = 0;
$wgAutoConfirmAge = 0;
$wgPasswordPolicy['policies'] = [ 'default' => [ 'MinimalPasswordLength' => 1 ] ];
# Temporary accounts are on where this file lies (1.43).
if ( is_file( __DIR__ . '/temporary-accounts' ) ) {
	$wgAutoCreateTempUser['enabled'] = true;
	$wgAutoCreateTempUser['known'] = true;
}
