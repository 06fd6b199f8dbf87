<?php
/** Redirects to pages, by title: another order than core's, and a third part in the values to continue with. */
class LabRedirects extends ApiQueryBase {
	public function __construct( ApiQuery $query, $name ) {
		parent::__construct( $query, $name, 'rd' );
	}

	public function execute() {
		$params = $this->extractRequestParams();
		$targets = [];
		foreach ( $this->getPageSet()->getGoodTitles() as $id => $title ) {
			$targets[$title->getNamespace() . ':' . $title->getDBkey()] = $id;
		}
		if ( $targets === [] ) {
			return;
		}
		$this->addTables( [ 'redirect', 'page' ] );
		$this->addWhere( 'rd_from = page_id' );
		$this->addFields( [ 'rd_namespace', 'rd_title', 'page_id', 'page_namespace', 'page_title' ] );
		$this->addOption( 'ORDER BY', [ 'page_title', 'page_id' ] );
		$after = $params['continue'] === null ? null : explode( '|', $params['continue'] );
		if ( $after !== null ) {
			$this->dieContinueUsageIf( count( $after ) !== 3 );
		}
		$count = 0;
		foreach ( $this->select( __METHOD__ ) as $row ) {
			$target = $targets[$row->rd_namespace . ':' . $row->rd_title] ?? null;
			if ( $target === null || ( $after && [ $row->page_title, (int)$row->page_id ] < [ $after[0], (int)$after[1] ] ) ) {
				continue;
			}
			$title = Title::makeTitle( $row->page_namespace, $row->page_title );
			$shown = [ 'pageid' => (int)$row->page_id, 'ns' => $title->getNamespace(), 'title' => $title->getPrefixedText() ];
			if ( ++$count > $params['limit'] || !$this->addPageSubItem( $target, $shown ) ) {
				$this->setContinueEnumParameter( 'continue', "{$row->page_title}|{$row->page_id}|0" );
				break;
			}
		}
	}

	public function getCacheMode( $params ) {
		return 'public';
	}

	public function getAllowedParams() {
		return [
			'limit' => [
				ApiBase::PARAM_DFLT => 10,
				ApiBase::PARAM_TYPE => 'limit',
				ApiBase::PARAM_MIN => 1,
				ApiBase::PARAM_MAX => ApiBase::LIMIT_BIG1,
				ApiBase::PARAM_MAX2 => ApiBase::LIMIT_BIG2,
			],
			'continue' => [ ApiBase::PARAM_HELP_MSG => 'api-help-param-continue' ],
		];
	}
}
