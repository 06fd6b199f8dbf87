<?php
# Applies the steps of a file (one JSON object a line, written by scripts/wiki/content) to the wiki, each at its own time.
# Most steps are calls of the Action API itself, made inside this process: they mean the same in every version.
require_once getenv( 'MW_INSTALL_PATH' ) . '/maintenance/Maintenance.php';

use MediaWiki\MediaWikiServices;
use Wikimedia\Timestamp\ConvertibleTimestamp;

class ApplyLabSteps extends Maintenance {
	/** @var string folder of the files that `upload` steps name */
	private $folder;

	public function __construct() {
		parent::__construct();
		$this->addArg( 'steps', 'File with one step a line' );
	}

	public function execute() {
		$path = $this->getArg( 0 );
		$this->folder = dirname( $path );
		foreach ( file( $path, FILE_IGNORE_NEW_LINES | FILE_SKIP_EMPTY_LINES ) as $number => $line ) {
			$step = json_decode( $line, true );
			try {
				$this->apply( $step );
			} catch ( Throwable $problem ) {
				$where = $problem->getFile() . ':' . $problem->getLine();
				$this->fatalError( 'step ' . ( $number + 1 ) . ' ' . mb_substr( $line, 0, 400 ) . "\n" .
					get_class( $problem ) . ': ' . $problem->getMessage() . " at $where" );
			}
		}
		ConvertibleTimestamp::setFakeTime( false );
	}

	private function apply( array $step ) {
		ConvertibleTimestamp::setFakeTime( $step['at'] );
		$kind = $step['kind'];
		if ( $kind === 'account' ) {
			$this->account( $step );
		} elseif ( $kind === 'interwiki' ) {
			$this->interwiki( $step );
		} elseif ( $kind === 'upload' ) {
			$this->upload( $step );
		} elseif ( $kind === 'call' ) {
			$this->call( $step );
		} elseif ( $kind === 'hide' ) {
			$this->hide( $step );
		} elseif ( $kind === 'rename' ) {
			$this->rename( $step );
		} elseif ( $kind === 'active' ) {
			$this->active( $step );
		} elseif ( $kind === 'settle' ) {
			$this->settle();
		} else {
			throw new Exception( "unknown kind of step: $kind" );
		}
		DeferredUpdates::doUpdates();
	}

	private function account( array $step ) {
		$user = User::newFromName( $step['name'] );
		if ( !$user->getId() ) {
			$status = $user->addToDatabase();
			if ( !$status->isOK() ) {
				throw new Exception( (string)$status );
			}
			SiteStatsUpdate::factory( [ 'users' => 1 ] )->doUpdate();
		}
		if ( isset( $step['password'] ) ) {
			$user->changeAuthenticationData( [
				'username' => $user->getName(),
				'password' => $step['password'],
				'retype' => $step['password'],
			] );
		}
		foreach ( $step['groups'] as $group ) {
			MediaWikiServices::getInstance()->getUserGroupManager()->addUserToGroup( $user, $group );
		}
		$this->master()->update( 'user', [ 'user_registration' => $this->master()->timestamp( $step['at'] ) ],
			[ 'user_id' => $user->getId() ], __METHOD__ );
	}

	private function interwiki( array $step ) {
		$this->master()->delete( 'interwiki', '*', __METHOD__ );
		foreach ( $step['rows'] as $row ) {
			$this->master()->insert( 'interwiki', [
				'iw_prefix' => $row['prefix'], 'iw_url' => $row['url'], 'iw_api' => '', 'iw_wikiid' => '',
				'iw_local' => $row['local'] ? 1 : 0, 'iw_trans' => 0,
			], __METHOD__ );
		}
	}

	private function upload( array $step ) {
		$title = Title::makeTitleSafe( NS_FILE, $step['name'] );
		$file = MediaWikiServices::getInstance()->getRepoGroup()->getLocalRepo()->newFile( $title );
		$status = $file->upload( $this->folder . '/files/' . $step['file'], $step['comment'], $step['text'], 0, false,
			wfTimestamp( TS_MW, $step['at'] ), User::newFromName( $step['as'] ) );
		if ( !$status->isOK() ) {
			throw new Exception( (string)$status );
		}
	}

	private function call( array $step ) {
		// "false": an address is a user too, who has no account.
		$user = User::newFromName( $step['as'], false );
		$request = new FauxRequest( $step['params'] + [ 'format' => 'json' ], true );
		$salt = $step['params']['action'] === 'userrights' ? 'userrights' : '';
		$request->setVal( 'token', $user->getEditToken( $salt, $request ) );
		$context = new DerivativeContext( RequestContext::getMain() );
		$context->setRequest( $request );
		$context->setUser( $user );
		( new ApiMain( $context, true ) )->execute();
	}

	/** Revisions are known by their place in the history, since their ids differ from wiki to wiki. */
	private function hide( array $step ) {
		$page = Title::newFromText( $step['title'] )->getArticleID();
		$id = $this->master()->selectField( 'revision', 'rev_id', [ 'rev_page' => $page ], __METHOD__,
			[ 'ORDER BY' => 'rev_timestamp DESC, rev_id DESC', 'OFFSET' => $step['skipped'], 'LIMIT' => 1 ] );
		$this->call( [ 'as' => $step['as'], 'params' => [ 'action' => 'revisiondelete', 'type' => 'revision',
			'target' => $step['title'], 'ids' => (string)$id, 'hide' => $step['hide'] ] ] );
	}

	/** 1.40 and later rename users by themselves, older versions by an extension that need not be loaded. */
	private function rename( array $step ) {
		$class = 'MediaWiki\\RenameUser\\RenameuserSQL';
		if ( !class_exists( $class ) ) {
			$extension = getenv( 'MW_INSTALL_PATH' ) . '/extensions/Renameuser/includes';
			$namespace = 'MediaWiki\\Extension\\Renameuser\\';
			foreach ( array_merge( glob( "$extension/Hook/*.php" ),
				[ "$extension/RenameuserHookRunner.php", "$extension/RenameuserSQL.php" ] ) as $file ) {
				if ( file_exists( $file ) ) {
					require_once $file;
				}
			}
			$class = class_exists( "{$namespace}RenameuserSQL" ) ? "{$namespace}RenameuserSQL" : 'RenameuserSQL';
		}
		$user = User::newFromName( $step['from'] );
		$renaming = new $class( $step['from'], $step['to'], $user->getId(), User::newFromName( $step['as'] ), [] );
		$done = method_exists( $renaming, 'renameUser' ) ? $renaming->renameUser() : $renaming->rename();
		if ( $done === false || ( is_object( $done ) && !$done->isOK() ) ) {
			throw new Exception( 'not renamed: ' . $step['from'] );
		}
	}

	/** The cache of active users, as a job fills it now and then. */
	private function active( array $step ) {
		foreach ( $step['names'] as $name ) {
			$this->master()->insert( 'querycachetwo', [ 'qcc_type' => 'activeusers', 'qcc_namespace' => NS_USER,
				'qcc_title' => $name, 'qcc_value' => wfTimestamp( TS_UNIX, $step['at'] ), 'qcc_namespacetwo' => 0,
				'qcc_titletwo' => '' ], __METHOD__ );
		}
	}

	/** Replaces what MediaWiki drew by lot: page_random and the login tokens. */
	private function settle() {
		foreach ( $this->master()->select( 'page', [ 'page_id' ], '*', __METHOD__ ) as $row ) {
			$this->master()->update( 'page', [ 'page_random' => fmod( $row->page_id * 0.6180339887498949, 1 ) ],
				[ 'page_id' => $row->page_id ], __METHOD__ );
		}
		foreach ( $this->master()->select( 'user', [ 'user_id', 'user_name' ], '*', __METHOD__ ) as $row ) {
			$this->master()->update( 'user', [ 'user_token' => md5( 'token of ' . $row->user_name ) ],
				[ 'user_id' => $row->user_id ], __METHOD__ );
		}
	}

	private function master() {
		return $this->getDB( defined( 'DB_PRIMARY' ) ? DB_PRIMARY : DB_MASTER );
	}
}

$maintClass = ApplyLabSteps::class;
require_once RUN_MAINTENANCE_IF_MAIN;
