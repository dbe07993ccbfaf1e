import type { Phrases } from '../phrasebook.ts'

/** Why a node could not do something. */
export const failuresOfNodes: Phrases = {
  'The server has no screen.': 'Der Server hat keinen Bildschirm.',
  'The server still runs.': 'Der Server läuft noch.',
  'This node cannot back up this server.': 'Dieser Node kann diesen Server nicht sichern.',
  'This node cannot restore this backup.': 'Dieser Node kann dieses Backup nicht wiederherstellen.',
  'The agent of this node is too old for this backup: update it first.':
    'Der Agent dieses Nodes ist zu alt für dieses Backup: Aktualisieren Sie ihn zuerst.',
  'The backup does not say which machine it is of.':
    'Das Backup sagt nicht, von welcher Maschine es ist.',
  'A disk is missing in the backup.': 'Im Backup fehlt ein Datenträger.',
  '{a} is missing in the backup.': 'Im Backup fehlt {a}.',
  '{a} of the snapshot is gone.': '{a} des Snapshots ist verschwunden.',
  '{a} of the snapshot was written to.': 'In {a} des Snapshots wurde geschrieben.',
  '{a} of the snapshot is not what it was.': '{a} des Snapshots ist nicht mehr, was es war.',
  'The snapshot is of another machine.': 'Der Snapshot ist von einer anderen Maschine.',
  'What the backup leaves out stays, and needs {a} beside the restored files, where {b} are left. Nothing was changed: delete some of it first.':
    'Was das Backup auslässt, bleibt und braucht {a} neben den wiederhergestellten Dateien, wo {b} frei sind. Nichts wurde geändert: Löschen Sie zuerst etwas davon.',
  'What the backup leaves out could not be kept beside the restored files. Nothing was changed.':
    'Was das Backup auslässt, ließ sich nicht neben den wiederhergestellten Dateien behalten. Nichts wurde geändert.',
  'The file {a} could not be read, so there is no whole backup.':
    'Die Datei {a} ließ sich nicht lesen, daher gibt es kein vollständiges Backup.',
  'The time of a restored file could not be set.':
    'Die Zeit einer wiederhergestellten Datei ließ sich nicht setzen.',
  'The backup has no such folder.': 'Das Backup hat keinen solchen Ordner.',
  'This node keeps no backups.': 'Dieser Node bewahrt keine Backups auf.',
  'A backup is being downloaded.': 'Ein Backup wird gerade heruntergeladen.',
  'The node that keeps the backups does not answer.':
    'Der Node, der die Backups aufbewahrt, antwortet nicht.',
  'The node that keeps the backups refused this.':
    'Der Node, der die Backups aufbewahrt, hat das abgelehnt.',
  'The disk of the node that keeps the backups is full.':
    'Die Festplatte des Nodes, der die Backups aufbewahrt, ist voll.',
  'The storage of the backups does not answer.': 'Der Speicher der Backups antwortet nicht.',
  'The storage of the backups moves no data.': 'Der Speicher der Backups überträgt keine Daten.',
  'There is no room left to write to.': 'Zum Schreiben ist kein Platz mehr frei.',
  'The repository does not open with its key.':
    'Das Repository lässt sich mit seinem Schlüssel nicht öffnen.',
  'The repository is in use.': 'Das Repository ist in Gebrauch.',
  'The node may not use the files of the backups: check its disks and their rights.':
    'Der Node darf die Dateien der Backups nicht benutzen: Prüfen Sie seine Datenträger und deren Rechte.',
  'The node does not trust the certificate of the storage.':
    'Der Node vertraut dem Zertifikat des Speichers nicht.',
  'The storage of the backups refuses the node: check its settings.':
    'Der Speicher der Backups weist den Node ab: Prüfen Sie die Einstellungen des Speichers.',
  'The backup or its repository is damaged.': 'Das Backup oder sein Repository ist beschädigt.',
  'The repository of the backups is not in its place: its disk may not be mounted.':
    'Das Repository der Backups ist nicht an seinem Platz: Vielleicht ist sein Datenträger nicht eingehängt.',
  'The storage of the backups sends less than it should.':
    'Der Speicher der Backups sendet weniger, als er sollte.',
  'The work on the backup was ended.': 'Die Arbeit am Backup wurde beendet.',
  'restic failed to read or to write the backup: see the log of the node.':
    'restic konnte das Backup nicht lesen oder nicht schreiben: Sehen Sie in das Log des Nodes.',
  'Another node may have been cleaning the repository meanwhile: verify the backup later':
    'Ein anderer Node hat das Repository vielleicht inzwischen aufgeräumt: Prüfen Sie das Backup später',
  'The server has no console.': 'Der Server hat keine Konsole.',
  'The node answered in a way that is not understood':
    'Der Node antwortete auf eine Weise, die nicht verstanden wird',
  'Too many people work with files of this node: try again in a minute.':
    'Zu viele arbeiten mit Dateien dieses Nodes: Versuchen Sie es in einer Minute noch einmal.',
  'The other node does not give {a} ({b}).': 'Der andere Node gibt {a} nicht heraus ({b}).',
  'The server could not be changed: see the log of the node':
    'Der Server ließ sich nicht ändern: Sehen Sie in das Log des Nodes',
  'The server could not be started: see the log of the node':
    'Der Server ließ sich nicht starten: Sehen Sie in das Log des Nodes',
  'This node runs no {a}.': 'Dieser Node betreibt keine {a}.',
  'This node gives no access to files.': 'Dieser Node gibt keinen Zugriff auf Dateien.',
  'The connection to the other node was lost; what has come is kept.':
    'Die Verbindung zum anderen Node ging verloren; was angekommen ist, bleibt erhalten.',
  'This node cannot do that with this server.': 'Dieser Node kann das mit diesem Server nicht.',
  'The node cannot use this document: {a}: {b}':
    'Der Node kann dieses Dokument nicht verwenden: {a}: {b}',
  'The copy is of another machine.': 'Die Kopie ist von einer anderen Maschine.',
  'This node has given the machine away since.':
    'Dieser Node hat die Maschine inzwischen abgegeben.',
  'This node has given the server away since.': 'Dieser Node hat den Server inzwischen abgegeben.',
  'Another node has the files of the server since.':
    'Ein anderer Node hat inzwischen die Dateien des Servers.',
  'The server lies elsewhere since.': 'Der Server liegt seitdem woanders.',
  'This node cannot change the storage of this server.':
    'Dieser Node kann den Speicher dieses Servers nicht wechseln.',
  'There is no whole copy of the server on the storage that it was to change to.':
    'Auf dem Speicher, auf den der Server wechseln sollte, ist keine vollständige Kopie von ihm.',
  'The data of the server lie there.': 'Dort liegen die Daten des Servers.',
  'There is no room for its files there.': 'Dort ist kein Platz für seine Dateien.',
  'There is no room for its files there: {a} have to be free, and {b} are.':
    'Dort ist kein Platz für seine Dateien: {a} müssen frei sein, {b} sind es.',
  'There is no room for its disks there: {a} have to be free, and {b} are.':
    'Dort ist kein Platz für ihre Datenträger: {a} müssen frei sein, {b} sind es.',
  'Its files have access lists or extended attributes, which that storage cannot keep. Nothing was changed.':
    'Seine Dateien haben Zugriffslisten oder erweiterte Attribute, die dieser Speicher nicht behalten kann. Nichts wurde geändert.',
  'Its files could not be copied. Nothing was changed.':
    'Seine Dateien ließen sich nicht kopieren. Nichts wurde geändert.',
  'The copy of its files is not what was copied. Nothing was changed.':
    'Die Kopie seiner Dateien gleicht ihnen nicht. Nichts wurde geändert.',
  'The copy of a disk is not what was copied. Nothing was changed.':
    'Die Kopie eines Datenträgers gleicht ihm nicht. Nichts wurde geändert.',
  'The copy of a file is not what was copied. Nothing was changed.':
    'Die Kopie einer Datei gleicht ihr nicht. Nichts wurde geändert.',
  '{a} of a snapshot is gone.': '{a} eines Snapshots ist nicht mehr da.',
  '{a} of a snapshot is not what it was.': '{a} eines Snapshots ist nicht mehr, was es war.',
  'The files of the server are missing on its shared storage.':
    'Die Dateien des Servers fehlen auf seinem gemeinsamen Speicher.',
  'The storage with the files of the server is not available on its node now. It is tried again':
    'Der Speicher mit den Dateien des Servers ist auf seinem Node zurzeit nicht verfügbar. Es wird wieder versucht',
  'Its files lie on the shared storage {a}':
    'Seine Dateien liegen auf dem gemeinsamen Speicher {a}',
  'The server is on this node already.': 'Der Server ist schon auf diesem Node.',
  'The server has come back to this node since.':
    'Der Server ist inzwischen auf diesen Node zurückgekommen.',
  'The disk of the node is full: nothing new is made on it':
    'Die Festplatte des Nodes ist voll: Auf ihm wird nichts Neues angelegt',
  'This node cannot install servers.': 'Dieser Node kann keine Server installieren.',
  'The server does not read its input': 'Der Server liest seine Eingabe nicht',
  'The task was cancelled': 'Die Aufgabe wurde abgebrochen',
  'The task took too long': 'Die Aufgabe dauerte zu lange',
  'The node could not do this: see its log': 'Der Node konnte das nicht: Sehen Sie in sein Log',
  "The server's document cannot be used: {a}":
    'Das Dokument des Servers kann nicht verwendet werden: {a}',
  'The installation failed: reinstall the server first':
    'Die Installation ist fehlgeschlagen: Installieren Sie den Server zuerst neu',
  'The installation failed: see the log of the node':
    'Die Installation ist fehlgeschlagen: Sehen Sie in das Log des Nodes',
  'The installation was cancelled': 'Die Installation wurde abgebrochen',
  'The server could not be removed yet. It is tried again':
    'Der Server ließ sich noch nicht entfernen. Es wird weiter versucht',
  'The server could not be ended yet: its engine does not answer. It is tried again':
    'Der Server ließ sich noch nicht beenden: Seine Engine antwortet nicht. Es wird weiter versucht',
  'The server gave no sign of life within {a} s and was ended':
    'Der Server gab innerhalb von {a} s kein Lebenszeichen und wurde beendet',
  '{a} before it was up': '{a}, bevor er bereit war',
  'Ended on request.': 'Auf Wunsch beendet.',
  'The data cannot be mounted at {a}.': 'Die Daten lassen sich nicht unter {a} einhängen.',
  'The installer did not end within {a} s.':
    'Das Installationsprogramm wurde nicht innerhalb von {a} s fertig.',
  'The installer ended with exit code {a}.': 'Das Installationsprogramm endete mit Exit-Code {a}.',
  'The network of the server was gone.': 'Das Netz des Servers war weg.',
  'Port {a} is published twice.': 'Port {a} ist zweimal veröffentlicht.',
  'Files of the server are still open.': 'Dateien des Servers sind noch geöffnet.',
  'The node has no room to restore beside the present files, which is how nothing is lost.':
    'Der Node hat keinen Platz, um neben den vorhandenen Dateien wiederherzustellen, damit nichts verloren geht.',
  'Nothing was restored to be put in place.':
    'Es wurde nichts wiederhergestellt, was an seinen Platz kommen könnte.',
  'The restored files could not be given to the server.':
    'Die wiederhergestellten Dateien ließen sich dem Server nicht übergeben.',
  'More than {a} MiB are stored; delete something first.':
    'Es sind mehr als {a} MiB gespeichert; löschen Sie zuerst etwas.',
  'This machine has no network left for another server.':
    'Dieser Rechner hat kein Netz mehr für einen weiteren Server.',
  'The backup does not contain {a}.': 'Das Backup enthält {a} nicht.',
  'The files need {a}, and the disk of the server has {b} left. Nothing was restored: delete something first.':
    'Die Dateien brauchen {a}, und auf der Festplatte des Servers sind {b} frei. Es wurde nichts wiederhergestellt: Löschen Sie zuerst etwas.',
  'The disk of the server is full.': 'Die Festplatte des Servers ist voll.',
  '{a} could not be put in its place.': '{a} ließ sich nicht an seinen Platz legen.',
  'The server has no files on this node.': 'Der Server hat keine Dateien auf diesem Node.',
  'The disk of this machine is full.': 'Die Festplatte dieses Rechners ist voll.',
  'The disk of the server is still being resized.':
    'Die Größe der Festplatte des Servers wird noch geändert.',
  'The disk of the server was not ready in time.':
    'Die Festplatte des Servers war nicht rechtzeitig bereit.',
  'The files could not be given to the server.':
    'Die Dateien ließen sich dem Server nicht übergeben.',
  'The server is not on this node.': 'Der Server ist nicht auf diesem Node.',
  'Port {a} is in use on this machine.': 'Port {a} ist auf diesem Rechner belegt.',
  'A port is in use on this machine.': 'Ein Port ist auf diesem Rechner belegt.',
  'The server has an id that cannot be used.':
    'Der Server hat eine ID, die sich nicht verwenden lässt.',
  'This node takes no images from archives.': 'Dieser Node nimmt keine Images aus Archiven.',
  'The archive has a path that cannot be used.':
    'Das Archiv hat einen Pfad, der sich nicht verwenden lässt.',
  'There is no archive {a}.': 'Es gibt kein Archiv {a}.',
  'The base system could not be fetched: {a}': 'Das Basissystem ließ sich nicht holen: {a}',
  'The Debian image could not be made: {a}': 'Das Debian-Image ließ sich nicht erstellen: {a}',
  'The image could not be brought in: {a}': 'Das Image ließ sich nicht einlesen: {a}',
  'The image could not be packed: {a}': 'Das Image ließ sich nicht packen: {a}',
  'The image has a name that cannot be used.':
    'Das Image hat einen Namen, der sich nicht verwenden lässt.',
  'The registry {a} stopped answering.': 'Die Registry {a} antwortet nicht mehr.',
  'The node cannot read its password for {a}: its administrator has to look at it.':
    'Der Node kann sein Passwort für {a} nicht lesen: Sein Administrator muss es sich ansehen.',
  'Nothing is started, because the rules that keep servers from this node and its networks could not be loaded: {a}':
    'Es wird nichts gestartet, weil sich die Regeln, die Server von diesem Node und seinen Netzen fernhalten, nicht laden ließen: {a}',
  'The server is not running.': 'Der Server läuft nicht.',
  'The server does not read its input.': 'Der Server liest seine Eingabe nicht.',
  'The rules for networks could not be loaded: {a}':
    'Die Regeln für Netze ließen sich nicht laden: {a}',
}

/** The same of virtual machines. */
export const failuresOfMachines: Phrases = {
  'The node has no room to restore beside the present disks, which is how nothing is lost: {a} have to be free on its disk, and {b} are.':
    'Der Node hat keinen Platz, um neben den vorhandenen Datenträgern wiederherzustellen, damit nichts verloren geht: {a} müssen auf seiner Festplatte frei sein, und {b} sind es.',
  'A backup of a virtual machine contains disks, and no single files.':
    'Ein Backup einer virtuellen Maschine enthält Datenträger und keine einzelnen Dateien.',
  'The machine is being started.': 'Die Maschine wird gerade gestartet.',
  'There is no room for the copy that is made first: {a} have to be free where the files of the machine lie, and {b} are. Free some, for example of old snapshots.':
    'Für die Kopie, die zuerst gemacht wird, ist kein Platz: {a} müssen dort frei sein, wo die Dateien der Maschine liegen, und {b} sind es. Schaffen Sie Platz, zum Beispiel durch Löschen alter Snapshots.',
  'The machine ended while its disks were being copied.':
    'Die Maschine endete, während ihre Datenträger kopiert wurden.',
  'The backup is of a machine that boots by {a}, and this one boots by {b}: restore it to a machine with the same kind of firmware.':
    'Das Backup ist von einer Maschine, die mit {a} startet, und diese startet mit {b}: Stellen Sie es auf einer Maschine mit derselben Art von Firmware wieder her.',
  'The backup has {a} disks, and the machine has {b}: add disks to it first.':
    'Das Backup hat {a} Datenträger, und die Maschine hat {b}: Fügen Sie ihr zuerst welche hinzu.',
  'The disk in the backup has {a} MiB, and the disk {b} of the machine has {c} MiB: enlarge it first.':
    'Der Datenträger im Backup hat {a} MiB, und der Datenträger {b} der Maschine hat {c} MiB: Vergrößern Sie ihn zuerst.',
  'The machine has no such file.': 'Die Maschine hat keine solche Datei.',
  'The list of files is not that of this machine.':
    'Die Liste der Dateien ist nicht die dieser Maschine.',
  '{a} is missing in the copy.': '{a} fehlt in der Kopie.',
  'A file is twice in the copy.': 'Eine Datei ist zweimal in der Kopie.',
  '{a} is longer than it was.': '{a} ist länger als vorher.',
  '{a} came only in part.': '{a} kam nur zum Teil an.',
  '{a} is not what was sent.': '{a} ist nicht das, was gesendet wurde.',
  '{a} is no disk.': '{a} ist kein Datenträger.',
  '{a} of the machine is gone from this node.':
    '{a} der Maschine ist von diesem Node verschwunden.',
  'The machine is running: stop it first.': 'Die Maschine läuft: Stoppen Sie sie zuerst.',
  'There is no such snapshot.': 'Diesen Snapshot gibt es nicht.',
  'There is no such machine on this node.': 'Diese Maschine gibt es auf diesem Node nicht.',
  'The snapshot has an id that cannot be used.':
    'Der Snapshot hat eine ID, die sich nicht verwenden lässt.',
  'The path {a} is too long for sockets.': 'Der Pfad {a} ist für Sockets zu lang.',
  'This node has no firmware {a}.': 'Dieser Node hat die Firmware {a} nicht.',
  'This node has another version of the firmware {a} than the machine needs.':
    'Dieser Node hat eine andere Version der Firmware {a}, als die Maschine braucht.',
  'qemu-img ended with {a}: {b}': 'qemu-img endete mit {a}: {b}',
  "The disk {a} of {b} is larger than the node's own, which has {c}: give it a smaller size.":
    'Der Datenträger {a} mit {b} ist größer als der des Nodes, der {c} hat: Wählen Sie eine kleinere Größe.',
  'The disk {a} of {b} is larger than its shared storage, which has {c}: give it a smaller size.':
    'Der Datenträger {a} mit {b} ist größer als sein gemeinsamer Speicher, der {c} hat: Wählen Sie eine kleinere Größe.',
  'The disk {a} cannot be made smaller.': 'Der Datenträger {a} lässt sich nicht verkleinern.',
  '{a} gone from this node. Restore a snapshot or a backup, or install the machine anew.':
    'Von diesem Node verschwunden: {a}. Stellen Sie einen Snapshot oder ein Backup wieder her, oder installieren Sie die Maschine neu.',
  '{a} gone from the shared storage. Restore a snapshot or a backup, or install the machine anew.':
    'Vom gemeinsamen Speicher verschwunden: {a}. Stellen Sie einen Snapshot oder ein Backup wieder her, oder installieren Sie die Maschine neu.',
  'The disks of the machine are still open elsewhere, maybe on another node. It is tried again':
    'Die Datenträger der Maschine sind anderswo noch geöffnet, vielleicht auf einem anderen Node. Es wird wieder versucht',
  'The RBD pool {a} does not answer. It is tried again':
    'Der RBD-Pool {a} antwortet nicht. Es wird wieder versucht',
  'The RBD pool {a} is full.': 'Der RBD-Pool {a} ist voll.',
  'rbd ended with {a}: {b}': 'rbd endete mit {a}: {b}',
  'The image of the disk {a} is gone from the RBD pool. Restore a snapshot or a backup, or install the machine anew.':
    'Das Image des Datenträgers {a} ist aus dem RBD-Pool verschwunden. Stellen Sie einen Snapshot oder ein Backup wieder her, oder installieren Sie die Maschine neu.',
  '{a} images of the machine are still open somewhere. It is tried again':
    'Images der Maschine, die irgendwo noch geöffnet sind: {a}. Es wird wieder versucht',
  'QEMU on this node cannot open RBD images: install qemu-block-extra.':
    'QEMU kann auf diesem Node keine RBD-Images öffnen: Installieren Sie qemu-block-extra.',
  'This node has no key of {a}: put its keyring where {b} says, or into /etc/ceph.':
    'Dieser Node hat keinen Schlüssel von {a}: Legen Sie dessen Keyring dorthin, wo {b} es sagt, oder in /etc/ceph.',
  'The node refused to boot the machine.': 'Der Node hat den Start der Maschine abgelehnt.',
  'The guest agent does not answer.': 'Der Gast-Agent antwortet nicht.',
  'Process {a} of an earlier run does not end.': 'Prozess {a} eines früheren Laufs endet nicht.',
  'The machine does not run.': 'Die Maschine läuft nicht.',
  'The machine has no screen.': 'Die Maschine hat keinen Bildschirm.',
  'The screen of the machine cannot be reached.':
    'Der Bildschirm der Maschine ist nicht erreichbar.',
  'The medium in the drive is not on this node.':
    'Das Medium im Laufwerk ist nicht auf diesem Node.',
  'The medium is larger than it should be.': 'Das Medium ist größer, als es sein sollte.',
  'The medium came only in part.': 'Das Medium kam nur zum Teil an.',
  'The medium has another fingerprint than it should.':
    'Das Medium hat einen anderen Fingerabdruck, als es sollte.',
  'The medium has a fingerprint that cannot be used.':
    'Das Medium hat einen Fingerabdruck, der sich nicht verwenden lässt.',
  'The medium could not be had from {a}: {b}': 'Das Medium war von {a} nicht zu bekommen: {b}',
  "The medium is not fetched from {a}: {b}. A host of your own network is allowed by LODGE_EGRESS_HOSTS in the agent's settings.":
    'Das Medium wird nicht von {a} geholt: {b}. Einen Host Ihres eigenen Netzes erlaubt LODGE_EGRESS_HOSTS in den Einstellungen des Agents.',
  'This node has no network {a}.': 'Dieser Node hat kein Netz {a}.',
  'The network {a} of this node is off: start it there.':
    'Das Netz {a} dieses Nodes ist aus: Starten Sie es dort.',
  'The network {a} of this node has no bridge of the kernel, so nothing could keep its guests from false addresses.':
    'Das Netz {a} dieses Nodes hat keine Bridge des Kernels, daher könnte nichts seine Gäste von falschen Adressen abhalten.',
  'The network went away.': 'Das Netz ist verschwunden.',
  'A network with NAT needs the name of a bridge.':
    'Ein Netz mit NAT braucht den Namen einer Bridge.',
  'The addresses {a} are in use on this node already, by its interface {b}. Register a network with other addresses and put the machine there.':
    'Die Adressen {a} sind auf diesem Node schon in Gebrauch, durch seine Schnittstelle {b}. Registrieren Sie ein Netz mit anderen Adressen, und legen Sie die Maschine dorthin.',
  'The network {a} of this node is another one than this machine was made for.':
    'Das Netz {a} dieses Nodes ist ein anderes als das, für das diese Maschine erstellt wurde.',
  'Another program of this machine has the port {a}.':
    'Ein anderes Programm dieses Rechners belegt den Port {a}.',
  'The port {a} could not be opened: {b}': 'Der Port {a} ließ sich nicht öffnen: {b}',
  'The driver was closed.': 'Der Treiber wurde geschlossen.',
  'The installation of the machine was not finished.':
    'Die Installation der Maschine wurde nicht abgeschlossen.',
  'The return to a snapshot was not finished.':
    'Die Rückkehr zu einem Snapshot wurde nicht abgeschlossen.',
  'Somebody has put the machine to sleep on the node, and its memory was saved there. Without what was saved it starts anew after: virsh managedsave-remove {a}':
    'Jemand hat die Maschine auf dem Node schlafen gelegt, und ihr RAM wurde dort gespeichert. Ohne das Gespeicherte startet sie neu nach: virsh managedsave-remove {a}',
  'The machine has no permit to boot.': 'Die Maschine hat keine Erlaubnis zu starten.',
  'A machine cannot become another one.': 'Aus einer Maschine kann keine andere werden.',
  'A machine needs a disk.': 'Eine Maschine braucht einen Datenträger.',
  'This node cannot run the machine: {a} {b} Or allow emulation on the node.':
    'Dieser Node kann die Maschine nicht betreiben: {a} {b} Oder erlauben Sie Emulation auf dem Node.',
  'An ISO image is no disk: put it into the drive.':
    'Ein ISO-Image ist kein Datenträger: Legen Sie es in das Laufwerk.',
  'The image needs a disk of at least {a} MiB.':
    'Das Image braucht einen Datenträger von mindestens {a} MiB.',
  'The machine has a name or a value with control characters.':
    'Die Maschine hat einen Namen oder einen Wert mit Steuerzeichen.',
  'The lease of this node is too short to try a new agent: its servers would be stopped if that did not connect. Choose “Make leases longer…” on the page Failover, and update again once the node has such a lease.':
    'Das Lease dieses Nodes ist zu kurz, um einen neuen Agent zu erproben: Verbände dieser sich nicht, würden seine Server gestoppt. Wählen Sie „Leases verlängern…“ auf der Seite Failover, und aktualisieren Sie noch einmal, sobald der Node ein solches Lease hat.',
  'The new agent did not come up, and the former one runs again: {a}.':
    'Der neue Agent ist nicht hochgekommen, und der bisherige läuft wieder: {a}.',
  'The new agent was not downloaded: {a}.': 'Der neue Agent wurde nicht heruntergeladen: {a}.',
  'The new agent is not signed by the control plane.':
    'Der neue Agent ist nicht von der Control Plane signiert.',
  'The list of the new agent cannot be read.': 'Die Liste des neuen Agents ist nicht lesbar.',
  'The new agent is not for {a}.': 'Der neue Agent ist nicht für {a}.',
  'This agent cannot replace itself: paste a new join line.':
    'Dieser Agent kann sich nicht selbst ersetzen: Fügen Sie einen neuen Beitrittsbefehl ein.',
}
