#!/usr/bin/perl
# Prints who wrote a page, newest first, with MediaWiki::Bot (Debian: libmediawiki-bot-perl).
# Run it: wikitape exec --cassette examples/cassettes/ru-1.43 -- perl examples/perl/history.pl Абрикос
use strict;
use warnings;
use Encode qw( decode_utf8 );
use MediaWiki::Bot;
use URI;

binmode STDOUT, ':encoding(UTF-8)';
my $title = decode_utf8( $ARGV[0] // 'Абрикос' );
my $url = URI->new( $ENV{WIKITAPE_API_URL} );
my ( $path ) = $url->path =~ m{^/(.*)/api\.php$};

my $bot = MediaWiki::Bot->new( {
	agent => 'wikitape example',
	protocol => $url->scheme,
	host => $url->host_port,
	path => $path,
} );
for my $revision ( $bot->get_history( $title ) ) {
	printf "%s %s  %s  %s\n", @$revision{qw( timestamp_date timestamp_time user comment )};
}
die $bot->{error}->{details} . "\n" if $bot->{error}->{code};
