# `again.pl SESSION KIND ROUNDS`: a session of test/clients several times in one process.
use strict;
no warnings 'redefine';
my ( $session, $kind, $rounds ) = @ARGV;
for ( 1 .. $rounds ) {
	@ARGV = ($kind);
	do $session;
	die $@ if $@;
}
