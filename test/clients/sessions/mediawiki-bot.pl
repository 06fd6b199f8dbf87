# MediaWiki::Bot over MediaWiki::API: parameters in random order, `rawcontinue`, a new connection for each request.
use strict;
use warnings;
use utf8;
use Digest::SHA qw( sha1_hex );
use JSON::PP;
use MediaWiki::Bot;
use URI;

binmode STDOUT, ':encoding(UTF-8)';
# CLIENT_WIKI is the wiki itself, for a session that reaches it through a forward proxy.
my $url = URI->new( $ENV{CLIENT_WIKI} // $ENV{WIKITAPE_API_URL} );
my $batch = $ENV{CLIENT_BATCH} // 10;
my $short_batch = $ENV{CLIENT_SHORT_BATCH} // 2;
my $page = 'Испытание MediaWiki-Bot';
my $long = "'''Длинная страница'''\n\n" . "Волга впадает в море & течёт + дальше.\n" x 270;
my $json = JSON::PP->new->canonical->allow_nonref->allow_blessed->convert_blessed;
# The environment holds bytes.
my $only = $ENV{CLIENT_STEPS} ? JSON::PP->new->utf8->decode( $ENV{CLIENT_STEPS} ) : undef;
( my $path = $url->path ) =~ s{^/|/api\.php$}{}g;

my $bot = MediaWiki::Bot->new( {
	assert => '',
	protocol => $url->scheme,
	host => $url->host_port,
	path => $path,
	agent => 'wikitape-clients',
} );
$bot->{api}->{config}->{retries} = 1;
$bot->{api}->{config}->{retry_delay} = 1;

# Does one step and prints its result, or what went wrong, as one line of JSON. A miss goes wrong whatever is made of it.
sub step {
	my ( $name, $work ) = @_;
	return if $only && !grep { $_ eq $name } @$only;
	$bot->{error} = {};
	$bot->{api}->{error}->{details} = '';
	my $result = eval { $work->() };
	my ( $missed ) = grep { $_ && /cassette-miss/ } $bot->{api}->{error}->{details}, $bot->{error}->{details};
	my $wrong = $missed || $@ || $bot->{error}->{details};
	$wrong =~ s/ at \S+ line \d+\.?\n?// if $wrong;
	my $line = !$missed && ( defined $result || !$wrong ) ? { step => $name, result => $result } : { step => $name, error => $wrong };
	print $json->encode( $line ), "\n";
}

sub walk {
	my ( $query ) = @_;
	return $bot->{api}->list( { action => 'query', %$query } ) || die $bot->{api}->{error}->{details};
}

sub read_session {
	step( 'version', sub { $bot->get_mw_version } );
	step( 'namespaces', sub { my %names = $bot->get_namespace_names; \%names } );
	step( 'a page', sub { $bot->get_text( 'Ёлка' ) } );
	step( 'pages', sub { $bot->get_pages( [ 'Абрикос', 'AT&T', 'C++', 'Такой страницы нет' ] ) } );
	step( 'page id', sub { $bot->get_id( 'Ёлка' ) } );
	step( 'pages of a category', sub { [ $bot->get_pages_in_category( 'Категория:Природа 0' ) ] } );
	step( 'all pages of a prefix, walked', sub {
		[ map { $_->{title} } @{ walk( { list => 'allpages', apprefix => 'Абрикос/', aplimit => $batch } ) } ];
	} );
	step( 'members of a category, walked', sub {
		[ map { $_->{title} }
			@{ walk( { list => 'categorymembers', cmtitle => 'Категория:Природа 0', cmlimit => $batch } ) } ];
	} );
	step( 'pages of a prefix', sub { [ map { $_->{title} } $bot->prefixindex( 'Hub' ) ] } );
	step( 'history', sub { [ map { [ $_->{revid}, $_->{user}, $_->{comment} ] } $bot->get_history( 'Абрикос' ) ] } );
	step( 'links to a page', sub { [ map { $_->{title} } $bot->what_links_here( 'Абрикос' ) ] } );
	step( 'transclusions', sub { [ map { $_->{title} } $bot->list_transclusions( 'Шаблон:Box A' ) ] } );
	step( 'users of an image', sub { [ $bot->image_usage( 'Файл:Map 00.png' ) ] } );
	step( 'all categories', sub { [ $bot->get_all_categories ] } );
	step( 'search', sub { [ $bot->search( 'река' ) ] } );
	step( 'is blocked', sub { [ $bot->is_blocked( 'Bob' ), $bot->is_blocked( 'Вандал 00' ) ] } );
	step( 'last change', sub { [ $bot->recent_edit_to_page( 'Абрикос' ) ] } );
	step( 'count of contributions', sub { $bot->count_contributions( 'Bob' ) } );
	step( 'templates expanded', sub { $bot->expandtemplates( 'Опыт', '{{PAGENAME}} {{Box A|1}}' ) } );
	step( 'protection', sub { $bot->get_protection( 'Абрикос' ) } );
}

# The image is fetched by an absolute URL out of an answer.
sub files_session {
	step( 'a page', sub { $bot->get_text( 'Ёлка' ) } );
	step( 'all pages of a prefix, walked', sub {
		[ map { $_->{title} } @{ walk( { list => 'allpages', apprefix => 'Абрикос/', aplimit => $batch } ) } ];
	} );
	step( 'an image, downloaded', sub { sha1_hex( $bot->get_image( 'Файл:Map 00.png' ) ) } );
}

sub edited {
	my ( $answer ) = @_;
	return { map { $_ => $answer->{edit}->{$_} } qw( result title oldrevid newrevid ) };
}

sub write_session {
	step( 'login', sub { $bot->login( { username => $ENV{CLIENT_USER}, password => $ENV{CLIENT_PASSWORD} } ) } );
	step( 'no such page yet', sub { $bot->get_text( $page ) } );
	step( 'create', sub { edited( $bot->edit( { page => $page, text => 'Первое слово.', summary => 'Создано' } ) ) } );
	step( 'read back', sub { $bot->get_text( $page ) } );
	step( 'edit', sub { edited( $bot->edit( { page => $page, text => 'Второе & +.', summary => 'Ещё' } ) ) } );
	step( 'read back again', sub { [ $bot->get_text( $page ), $bot->get_text( $page ) ] } );
	step( 'a long text', sub { edited( $bot->edit( { page => $page, text => $long, summary => 'Длинно' } ) ) } );
	step( 'read the long text', sub { length $bot->get_text( $page ) } );
	step( 'history', sub { [ map { [ $_->{revid}, $_->{comment} ] } $bot->get_history( $page ) ] } );
	step( 'contributions, walked', sub {
		my $query = { list => 'usercontribs', ucuser => $ENV{CLIENT_USER}, uclimit => $batch, ucprop => 'title|ids' };
		[ map { [ $_->{title}, $_->{revid} ] } @{ walk( $query ) } ];
	} );
	step( 'undo', sub { $bot->undo( $page, ( $bot->get_history( $page ) )[0]->{revid}, 'Назад' ) ? 'done' : undef } );
	step( 'read what was undone', sub { $bot->get_text( $page ) } );
	step( 'move', sub { $bot->move( $page, "$page (2)", 'Так лучше' )->{move}->{to} } );
	step( 'what was left', sub { $bot->get_text( $page ) } );
	step( 'purge', sub { $bot->purge_page( "$page (2)" ) } );
}

my %sessions = (
	read => \&read_session,
	write => \&write_session,
	proxied => \&files_session,
	rewritten => \&files_session,
);
$sessions{ $ARGV[0] }->();
