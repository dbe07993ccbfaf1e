export interface HookPlaces {
  /** Folder of the permits; each is named by the UUID of its machine. */
  readonly permitFolder: string
  /** What stands in the definition of every machine of Lodge and of no other. */
  readonly mark: string
  /** Stands beside the mark in the machines of this agent. */
  readonly scope: string
  /** There for as long as the machine is a node. */
  readonly identityFile: string
}

/**
 * The program that libvirt runs before it starts any QEMU (`qemu.d`, operation `prepare`). A machine of
 * ours starts only with a permit that the agent wrote moments ago, and each permit is good for one
 * start; so a start by hand, an autostart or one of a libvirt that came back is refused. Machines of
 * others pass, also those of another Lodge; and all do when this one is no node any more.
 *
 * In Perl, which is part of every Debian, because libvirt's own confinement lets hooks run programs of
 * the system only; it opens no connection, starts nothing and asks nobody, so it is done in a moment and
 * cannot make libvirt wait for itself.
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
