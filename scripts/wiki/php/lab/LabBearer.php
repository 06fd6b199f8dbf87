<?php
use MediaWiki\Session\SessionBackend;
use MediaWiki\Session\SessionInfo;
use MediaWiki\Session\SessionProvider;
use MediaWiki\Session\UserInfo;

class LabBearer extends SessionProvider {
	public function provideSessionInfo( WebRequest $request ) {
		$header = (string)$request->getHeader( 'Authorization' );
		if ( !preg_match( '/^Bearer (\S+)$|oauth_token="?([^",]+)/', $header, $found ) ) {
			return null;
		}
		$user = User::newFromName( rawurldecode( $found[2] ?? $found[1] ) );
		if ( !$user || !$user->getId() ) {
			return null;
		}
		return new SessionInfo( SessionInfo::MAX_PRIORITY, [
			'provider' => $this,
			'id' => $this->hashToSessionId( $header, 'lab' ),
			'userInfo' => UserInfo::newFromUser( $user, true ),
			'persisted' => true,
			'forceUse' => true,
		] );
	}

	public function persistsSessionId() {
		return false;
	}

	public function canChangeUser() {
		return false;
	}

	public function persistSession( SessionBackend $session, WebRequest $request ) {
	}

	public function unpersistSession( WebRequest $request ) {
	}

	public function getVaryHeaders() {
		return [ 'Authorization' => null ];
	}

	public function safeAgainstCsrf() {
		return true;
	}
}
