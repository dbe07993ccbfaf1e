export interface HookPlaces {
  /** Folder of the permits, each named after the UUID of its machine. */
  readonly permitFolder: string
  /** Text in the definition of every Lodge machine and of no other. */
  readonly mark: string
  /** Follows the mark in the definitions of this agent's machines. */
  readonly scope: string
  /** Exists while this host is a node. */
  readonly identityFile: string
}

/**
 * Returns the program that libvirt runs before it starts QEMU (`qemu.d`, operation `prepare`). A
 * Lodge machine starts only with a fresh permit from the agent, and each permit is valid for one
 * start; this blocks manual starts, autostart and restarts by a recovering libvirt. Machines that
 * are not Lodge's, or belong to another Lodge installation, are ignored, as are all machines once
 * this host is no longer a node. It is written in Perl because libvirt's AppArmor profile lets
 * hooks run only system programs, and every Debian has Perl. It opens no connection and starts no
 * process: a hook that called libvirt would deadlock it.
 */
export function hookProgram({ permitFolder, mark, scope, identityFile }: HookPlaces): string {
  const quoted = (text: string) => `'${text.replaceAll(/['\\]/g, (found) => `\\${found}`)}'`
  return `#!/usr/bin/perl -T
# Written by the Lodge agent, which puts it back when it is changed.
# Lets a virtual machine of Lodge start only with a fresh permit of the agent.
use strict;
use warnings;

my $permits = ${quoted(permitFolder)};
my $mark = ${quoted(mark)};
my $scope = ${quoted(scope)};
my $identity = ${quoted(identityFile)};
my $longest_ms = 60_000;

my (undef, $operation, $phase) = @ARGV;
exit 0 unless defined $operation && $operation eq 'prepare' && $phase eq 'begin';

my $definition = do { local $/; <STDIN> };
refuse('its definition was not given') unless defined $definition && length $definition;
my ($tag) = $definition =~ m{(<[^>]*\\Q$mark\\E[^>]*>)};
exit 0 unless defined $tag;
exit 0 if $tag =~ /\\sscope=(["'])(.*?)\\1/ && $2 ne $scope;
exit 0 if !-e $identity && $!{ENOENT};

my ($uuid) = $definition =~ m{<uuid>([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})</uuid>};
refuse('it has no UUID') unless defined $uuid;

my $file = "$permits/$uuid";
open(my $permit, '<', $file) or refuse('only the agent of this node may start it');
my (undef, undef, $mode, undef, $owner) = stat($permit);
unlink($file) or refuse('its permit could not be used up');
refuse('its permit is not from the agent') if $owner != $> || $mode & 022;

my $line = <$permit>;
my ($named, $until) = defined $line ? $line =~ /^lodge-permit 1 (\\S+) (\\d{1,15})$/ : ();
refuse('its permit cannot be read') unless defined $until && $named eq $uuid;

open(my $clock, '<', '/proc/uptime') or refuse('the clock cannot be read');
my ($seconds) = <$clock> =~ /^(\\d+(?:\\.\\d+)?) /;
refuse('the clock cannot be read') unless defined $seconds;
my $left = $until - $seconds * 1000;
refuse('its permit is over') if $left < 0 || $left > $longest_ms;
exit 0;

sub refuse {
    print STDERR "This virtual machine belongs to Lodge: $_[0]. Start it in the panel.\\n";
    exit 1;
}
`
}
