<?php
# Sessions by the header Authorization, as OAuth has them: `Bearer NAME`, or `OAuth oauth_token="NAME"`, is that user.
$wgAutoloadClasses['LabBearer'] = __DIR__ . '/LabBearer.php';
$wgSessionProviders['LabBearer'] = [ 'class' => 'LabBearer' ];
