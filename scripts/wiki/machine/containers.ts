/** The way to the same wikis where Debian's packages are no way: the official container images. */

export const containerAdvice = `The official container images do the same job, one a version:
docker run -d --name wiki143 -p 127.0.0.1:8143:80 mediawiki:1.43
docker exec wiki143 php maintenance/run.php install --dbtype sqlite --dbpath /var/www/data --dbname wiki143 \\
  --lang ru --server http://127.0.0.1:8143 --scriptpath= --pass lab-Passw0rd-42 Wikitape Admin
docker exec wiki143 chown -R www-data /var/www/data
docker exec -i wiki143 tee -a LocalSettings.php <<'SETTINGS'
error_reporting( 0 );
ini_set( 'display_errors', 0 );
$wgDebugToolbar = true;
$wgEnableUploads = true;
$wgMainCacheType = CACHE_NONE;
$wgJobRunRate = 0;
$wgRateLimits = [];
wfLoadExtension( 'Gadgets' );
SETTINGS
The wiki then answers at http://127.0.0.1:8143/api.php (in 1.39: php maintenance/install.php, and port 8139).
For the lab's content copy scripts/wiki/php/apply.php and the steps that \`npm run wiki -- content FOLDER\` writes into
the container and run it there with MW_INSTALL_PATH=/var/www/html.`
