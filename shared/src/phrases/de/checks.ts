import type { Phrases } from '../phrasebook.ts'

/** What the checks of nodes found, and what to do about it. */
export const checks: Phrases = {
  'No shared storage is mounted at {a}': 'Unter {a} ist kein gemeinsamer Speicher eingehängt',
  'Mount it. If one is mounted, of a kind that looks like a disk of this machine, make the folder lodge in it once':
    'Hängen Sie ihn ein. Wenn einer eingehängt ist, der wie eine Platte dieser Maschine aussieht, legen Sie darin einmal den Ordner lodge an',
  '{a} does not answer': '{a} antwortet nicht',
  'Check the network to the storage, and the storage itself':
    'Prüfen Sie das Netz zum Speicher und den Speicher selbst',
  '{a} cannot be read: {b}': '{a} lässt sich nicht lesen: {b}',
  'Mount the storage there, or name its path in the configuration of the agent':
    'Hängen Sie den Speicher dort ein, oder nennen Sie seinen Pfad in der Konfiguration des Agents',
  '{a} cannot be used: {b}': '{a} ist nicht verwendbar: {b}',
  'Check the state of the storage and what the node may do there':
    'Prüfen Sie den Zustand des Speichers und was der Node dort darf',
  'The mark of the storage at {a} is damaged':
    'Das Kennzeichen des Speichers unter {a} ist beschädigt',
  'Restore {a} from a backup of the storage':
    'Stellen Sie {a} aus einem Backup des Speichers wieder her',
  'Files at {a} cannot be given to the users of servers':
    'Dateien unter {a} lassen sich den Benutzern der Server nicht geben',
  'Export the storage to the nodes with no_root_squash':
    'Geben Sie den Speicher für die Nodes mit no_root_squash frei',
  'The storage at {a} was begun without an RBD pool':
    'Der Speicher unter {a} wurde ohne RBD-Pool begonnen',
  'Name the pool for a new folder of the file system, and change the storage of servers to it':
    'Nennen Sie den Pool für einen neuen Ordner des Dateisystems, und wechseln Sie den Speicher von Servern dorthin',
  'Disks of virtual machines on {a} are in the RBD pool {b}, which this node was not told of':
    'Datenträger virtueller Maschinen auf {a} liegen im RBD-Pool {b}, der diesem Node nicht genannt wurde',
  'Name it in LODGE_AGENT_RBD_POOLS, and restart the agent':
    'Nennen Sie ihn in LODGE_AGENT_RBD_POOLS, und starten Sie den Agent neu',
  'There is no rbd on this node': 'Auf diesem Node gibt es kein rbd',
  'Install ceph-common and qemu-block-extra': 'Installieren Sie ceph-common und qemu-block-extra',
  'The RBD pool {a} does not answer': 'Der RBD-Pool {a} antwortet nicht',
  'Check the network to the Ceph cluster, and its health':
    'Prüfen Sie das Netz zum Ceph-Cluster und dessen Zustand',
  'The RBD pool {a} is not the one with the disks: {b}':
    'Der RBD-Pool {a} ist nicht der mit den Datenträgern: {b}',
  'Check which cluster and pool the configuration of the agent leads to':
    'Prüfen Sie, zu welchem Cluster und Pool die Konfiguration des Agents führt',
  'The RBD pool {a} cannot be used: {b}': 'Der RBD-Pool {a} ist nicht verwendbar: {b}',
  'Check the pool, the user and its key, which needs profile rbd for the pool':
    'Prüfen Sie den Pool, den Benutzer und dessen Schlüssel, der profile rbd für den Pool braucht',
  'Servers can be backed up': 'Server lassen sich sichern',
  'Servers cannot be backed up: {a}': 'Server lassen sich nicht sichern: {a}',
  'Install what is missing (apt-get install restic bubblewrap) and run the agent as root':
    'Installieren Sie, was fehlt (apt-get install restic bubblewrap), und betreiben Sie den Agent als root',
  'The kernel does not limit {a} here': 'Der Kernel begrenzt hier nicht: {a}',
  'Boot with cgroup_enable=memory, or on a kernel with control groups version 2':
    'Starten Sie mit cgroup_enable=memory oder mit einem Kernel mit Control Groups Version 2',
  'Control groups version 1: limits work, but the kernel no longer develops it':
    'Control Groups Version 1: Limits wirken, aber der Kernel entwickelt sie nicht weiter',
  'Boot with systemd.unified_cgroup_hierarchy=1 to use version 2':
    'Starten Sie mit systemd.unified_cgroup_hierarchy=1, um Version 2 zu verwenden',
  'Control groups version 2': 'Control Groups Version 2',
  'The clock is kept by NTP': 'Die Uhr wird per NTP gestellt',
  'Nothing was found that keeps the clock right':
    'Es wurde nichts gefunden, was die Uhr richtig hält',
  'Install chrony or switch on systemd-timesyncd':
    'Installieren Sie chrony, oder schalten Sie systemd-timesyncd ein',
  'The data folder {a} cannot be read': 'Der Datenordner {a} ist nicht lesbar',
  'Make the folder, or name another one with --data':
    'Legen Sie den Ordner an, oder nennen Sie mit --data einen anderen',
  '{a} of {b} are free in {c}': '{a} von {b} sind frei in {c}',
  'Free some space: nothing new can be made here':
    'Schaffen Sie Platz: Hier kann nichts Neues entstehen',
  'Free some space or add a disk soon':
    'Schaffen Sie bald Platz, oder bauen Sie eine Festplatte ein',
  'The files of each server are handled in a sandbox of their own':
    'Die Dateien jedes Servers werden in einer eigenen Sandbox behandelt',
  'The files of servers are handled without a sandbox: {a}':
    'Die Dateien der Server werden ohne Sandbox behandelt: {a}',
  'Install bubblewrap (apt-get install bubblewrap) and run the agent as root':
    'Installieren Sie bubblewrap (apt-get install bubblewrap), und betreiben Sie den Agent als root',
  'Debian images can be built here{a}': 'Debian-Images lassen sich hier bauen{a}',
  'Debian images cannot be built here; images of registries can be used{a}':
    'Debian-Images lassen sich hier nicht bauen; Images von Registries sind verwendbar{a}',
  'Install mmdebstrap (apt-get install mmdebstrap)':
    'Installieren Sie mmdebstrap (apt-get install mmdebstrap)',
  '/dev/kvm opens and the processor offers virtualization; the first guest is the proof':
    '/dev/kvm lässt sich öffnen, und der Prozessor bietet Virtualisierung; der erste Gast ist der Beweis',
  'This node has no KVM: there is no /dev/kvm.': 'Dieser Node hat kein KVM: Es gibt kein /dev/kvm.',
  'This node has no KVM: /dev/kvm cannot be opened.':
    'Dieser Node hat kein KVM: /dev/kvm lässt sich nicht öffnen.',
  'This node has no KVM: /dev/kvm is there, but the processor offers no virtualization.':
    'Dieser Node hat kein KVM: /dev/kvm ist da, aber der Prozessor bietet keine Virtualisierung.',
  'Switch on virtualization in the firmware of the node, or nested virtualization on its host.':
    'Schalten Sie die Virtualisierung in der Firmware des Nodes ein oder die verschachtelte Virtualisierung auf seinem Host.',
  'Let the agent run as root. {a}': 'Betreiben Sie den Agent als root. {a}',
  'libvirt is not installed: this node runs containers only':
    'libvirt ist nicht installiert: Dieser Node betreibt nur Container',
  'For virtual machines: apt-get install libvirt-daemon-system qemu-system-x86':
    'Für virtuelle Maschinen: apt-get install libvirt-daemon-system qemu-system-x86',
  'libvirt is running': 'libvirt läuft',
  'libvirt is installed and does not run': 'libvirt ist installiert und läuft nicht',
  'Start libvirtd when virtual machines are wanted on this node':
    'Starten Sie libvirtd, wenn auf diesem Node virtuelle Maschinen laufen sollen',
  'Port {a} cannot be bound ({b})': 'Port {a} lässt sich nicht belegen ({b})',
  'Choose a port range above 1023 that nothing forbids':
    'Wählen Sie einen Portbereich über 1023, den nichts verbietet',
  'All tried ports between {a} are in use; servers of this node may be using them':
    'Alle geprüften Ports zwischen {a} sind belegt; vielleicht von Servern dieses Nodes',
  'Ports between {a} can be bound': 'Ports zwischen {a} lassen sich belegen',
  'This node runs no containers': 'Dieser Node betreibt keine Container',
  '{a} {b} answers': '{a} {b} antwortet',
  'Docker does not answer: {a}': 'Docker antwortet nicht: {a}',
  'Install Docker and start it (apt-get install docker.io), then look again':
    'Installieren und starten Sie Docker (apt-get install docker.io), und sehen Sie dann noch einmal nach',
  'Images come from {a}': 'Images kommen von {a}',
  'Images of {a} come from its mirror {b}': 'Images von {a} kommen von dessen Spiegel {b}',
  '{a} cannot be reached: {b}': '{a} ist nicht erreichbar: {b}',
  'Servers whose image comes from {a} need it here already: let this node reach {b} by HTTPS':
    'Server, deren Image von {a} kommt, brauchen es hier schon: Lassen Sie diesen Node {b} per HTTPS erreichen',
}

/** The same of what virtual machines need. */
export const checksOfMachines: Phrases = {
  'libvirt {a} answers': 'libvirt {a} antwortet',
  'Install libvirt-daemon-system and start libvirtd.':
    'Installieren Sie libvirt-daemon-system, und starten Sie libvirtd.',
  'libvirt looks at QEMU anew at every call, which makes each take seconds.':
    'libvirt untersucht QEMU bei jedem Aufruf neu, sodass jeder Sekunden dauert.',
  'Let the user of QEMU open /dev/kvm (group kvm, mode 0660), or take the device away.':
    'Lassen Sie den Benutzer von QEMU /dev/kvm öffnen (Gruppe kvm, Rechte 0660), oder entfernen Sie das Gerät.',
  'libvirt knows no QEMU for x86_64 with the machine q35.':
    'libvirt kennt kein QEMU für x86_64 mit der Maschine q35.',
  'Install qemu-system-x86 and qemu-utils, then restart libvirtd.':
    'Installieren Sie qemu-system-x86 und qemu-utils, und starten Sie libvirtd neu.',
  'QEMU {a}': 'QEMU {a}',
  '{a} Or allow emulation, which is many times slower.':
    '{a} Oder erlauben Sie Emulation, die um ein Vielfaches langsamer ist.',
  'A kernel booted with KVM': 'Ein Kernel ist mit KVM gestartet',
  'There is no UEFI firmware.': 'Es gibt keine UEFI-Firmware.',
  'Install ovmf.': 'Installieren Sie ovmf.',
  'There is no swtpm.': 'Es gibt kein swtpm.',
  'Install swtpm and swtpm-tools.': 'Installieren Sie swtpm und swtpm-tools.',
  'There is no dnsmasq.': 'Es gibt kein dnsmasq.',
  'Install dnsmasq-base.': 'Installieren Sie dnsmasq-base.',
  'There is no nft.': 'Es gibt kein nft.',
  'Packets between machines pass through iptables: a machine cannot reach a port of the node that leads to another machine.':
    'Pakete zwischen Maschinen laufen durch iptables: Eine Maschine erreicht keinen Port des Nodes, der zu einer anderen Maschine führt.',
  'Install nftables.': 'Installieren Sie nftables.',
  'Run the agent as root, on a kernel with nftables (modprobe nf_tables).':
    'Betreiben Sie den Agent als root, auf einem Kernel mit nftables (modprobe nf_tables).',
  'Set net.bridge.bridge-nf-call-iptables = 0, unless a program of this node needs it (sysctl).':
    'Setzen Sie net.bridge.bridge-nf-call-iptables = 0 (sysctl), falls kein Programm dieses Nodes es anders braucht.',
  'The user of QEMU may not enter {a}, so no virtual machine can open its disk.':
    'Der Benutzer von QEMU darf {a} nicht betreten, daher kann keine virtuelle Maschine ihren Datenträger öffnen.',
  'Let others pass through the folder: chmod o+x {a}':
    'Lassen Sie andere durch den Ordner: chmod o+x {a}',
  'There is little room for disks.': 'Für Datenträger ist wenig Platz.',
  'Make room on the disk of the node.': 'Schaffen Sie Platz auf der Festplatte des Nodes.',
  'A machine that is started by hand is not held back.':
    'Eine von Hand gestartete Maschine wird nicht aufgehalten.',
  'Let the agent install its hook for libvirt, and restart libvirtd.':
    'Lassen Sie den Agent seinen Hook für libvirt installieren, und starten Sie libvirtd neu.',
  'KVM is tried as soon as libvirt answers.': 'KVM wird erprobt, sobald libvirt antwortet.',
  'The agent of this node is not whole: its part for virtual machines is missing ({a})':
    'Der Agent dieses Nodes ist nicht vollständig: Sein Teil für virtuelle Maschinen fehlt ({a})',
  "Paste a new join line (on the node's page) on this machine: it installs the whole agent, and servers keep running.":
    'Fügen Sie eine neue Beitrittszeile (von der Seite des Nodes) auf diesem Rechner ein: Sie installiert den ganzen Agent, und Server laufen weiter.',
  'The library of libvirt cannot be loaded: {a}':
    'Die Bibliothek von libvirt lässt sich nicht laden: {a}',
  'Install libvirt-daemon-system.': 'Installieren Sie libvirt-daemon-system.',
  'The process that talks to libvirt cannot start: {a}':
    'Der Prozess, der mit libvirt spricht, kann nicht starten: {a}',
  'libvirt did not answer in time ({a}).': 'libvirt hat nicht rechtzeitig geantwortet ({a}).',
  'The connection to libvirt was lost: {a}': 'Die Verbindung zu libvirt ging verloren: {a}',
  'libvirt cannot be reached at {a}: {b}': 'libvirt ist unter {a} nicht erreichbar: {b}',
  'libvirt offers no KVM: {a}': 'libvirt bietet kein KVM: {a}',
  'Let the user of QEMU open /dev/kvm (group kvm, mode 0660), then restart libvirtd.':
    'Lassen Sie den Benutzer von QEMU /dev/kvm öffnen (Gruppe kvm, Rechte 0660), und starten Sie libvirtd neu.',
  'There is no kernel in /boot to try KVM with.':
    'In /boot gibt es keinen Kernel, mit dem sich KVM erproben ließe.',
  'Install linux-image-amd64, so that there is one.':
    'Installieren Sie linux-image-amd64, damit es einen gibt.',
  'KVM is offered, but a kernel that was tried did not start.':
    'KVM wird angeboten, aber ein Kernel zur Probe ist nicht gestartet.',
  'Look at the log of the kernel of this node (dmesg).':
    'Sehen Sie in das Log des Kernels dieses Nodes (dmesg).',
  'A machine with KVM could not be started: {a}':
    'Eine Maschine mit KVM ließ sich nicht starten: {a}',
  'Look at the log of libvirt (/var/log/libvirt).':
    'Sehen Sie in das Log von libvirt (/var/log/libvirt).',
}

/** Values of these. */
export const valuesOfChecks: Phrases = {
  'restic is not installed': 'restic ist nicht installiert',
  'bubblewrap is not installed': 'bubblewrap ist nicht installiert',
  'the agent does not run as root': 'der Agent läuft nicht als root',
  'The made-up engine': 'Die ausgedachte Engine',
  'no answer within {a} s': 'keine Antwort innerhalb von {a} s',
  '{a} and {b}': '{a} und {b}',
  '; there are none yet': '; es gibt noch keine',
  '; one takes {a}, all in use': '; eines belegt {a}, alles in Gebrauch',
  '; one takes {a}, {b} of it unused': '; eines belegt {a}, davon {b} ungenutzt',
  '; {a} take {b}, all in use': '; {a} belegen {b}, alles in Gebrauch',
  '; {a} take {b}, {c} of it unused': '; {a} belegen {b}, davon {c} ungenutzt',
}
/** Checks whose text has nothing at its end or its beginning. */
export const shortChecks: Phrases = {
  Works: 'Funktioniert',
  'Debian images can be built here': 'Debian-Images lassen sich hier bauen',
  'Debian images cannot be built here; images of registries can be used':
    'Debian-Images lassen sich hier nicht bauen; Images von Registries sind verwendbar',
  'Or allow emulation, which is many times slower.':
    'Oder erlauben Sie Emulation, die um ein Vielfaches langsamer ist.',
}
