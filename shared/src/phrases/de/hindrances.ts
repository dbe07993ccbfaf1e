import type { Phrases } from '../phrasebook.ts'

/** Why something is not possible now: beside buttons that are off, for nodes that do not fit, and in refusals. */
export const hindrances: Phrases = {
  'It calculates the tax of invoices: choose another tax in the settings of billing first':
    'Es berechnet die Steuer von Rechnungen: Wählen Sie zuerst in den Einstellungen der Abrechnung eine andere Steuer',
  'It is cancelled already': 'Es ist bereits gekündigt',
  'There is no cancellation to undo': 'Es gibt keine Kündigung, die sich zurücknehmen ließe',
  'It costs nothing: buy another plan in the store':
    'Es kostet nichts: Kaufen Sie einen anderen Tarif im Shop',
  'Another change is pending': 'Ein anderer Wechsel steht noch aus',
  'Pay the open invoices first': 'Bezahlen Sie zuerst die offenen Rechnungen',
  'Save a payment method first': 'Speichern Sie zuerst ein Zahlungsmittel',
  'Complete your billing address first': 'Ergänzen Sie zuerst Ihre Rechnungsadresse',
  'It is suspended: write to your host': 'Es ist gesperrt: Schreiben Sie Ihrem Anbieter',
  'There is no open invoice': 'Es gibt keine offene Rechnung',
  'No payment provider has a page for you yet: save a payment method':
    'Noch kein Zahlungsanbieter hat eine Seite für Sie: Speichern Sie ein Zahlungsmittel',
  'It is being charged now: wait until that is over':
    'Sie wird gerade abgebucht: Warten Sie, bis das abgeschlossen ist',
  'Its money is on its way: wait until it has arrived':
    'Ihre Zahlung ist unterwegs: Warten Sie, bis das Geld angekommen ist',
  'The last charge may have succeeded: ask your host, or pay in another way':
    'Die letzte Abbuchung war möglicherweise erfolgreich: Fragen Sie Ihren Anbieter, oder bezahlen Sie auf anderem Weg',
  'No saved payment method is charged: save one, or pay in another way':
    'Von keinem gespeicherten Zahlungsmittel wird abgebucht: Speichern Sie eines, oder bezahlen Sie auf anderem Weg',
  'Some folders of this server are closed to you, and a backup contains all of them':
    'Auf einige Ordner dieses Servers haben Sie keinen Zugriff, und ein Backup enthält sie alle',
  'The host does not offer backups for download':
    'Der Anbieter bietet Backups nicht zum Herunterladen an',
  'No second node keeps backups, so those of servers on this one have no place':
    'Kein zweiter Node bewahrt Backups auf, deshalb haben die der Server auf diesem keinen Platz',
  'The node {a}, which keeps the backups, is not connected':
    'Der Node {a}, der die Backups aufbewahrt, ist nicht verbunden',
  'The disk of the node {a}, which keeps the backups, is full':
    'Der Datenträger des Nodes {a}, der die Backups aufbewahrt, ist voll',
  '{a} events that it reported are not settled: wait until they are, or turn it off':
    '{a} gemeldete Ereignisse sind noch nicht erledigt: Warten Sie darauf, oder schalten Sie es aus',
  'It still has to delete the payment methods of {a} deleted accounts, which takes two days: leave it on until then':
    'Es muss noch die Zahlungsarten von {a} gelöschten Konten löschen, was zwei Tage dauert: Lassen Sie es bis dahin eingeschaltet',
  'No other node is heard, or too many are silent at once: {a}. Check the network of the control plane first, then declare dead the nodes that are':
    'Kein anderer Node meldet sich, oder zu viele melden sich zugleich nicht: {a}. Prüfen Sie zuerst das Netzwerk der Control Plane, und erklären Sie dann die Nodes für tot, die es sind',
  'Several plugins switch nodes off: leave one of them on':
    'Mehrere Plugins schalten Nodes aus: Lassen Sie eines davon eingeschaltet',

  'The server is suspended: lift that first, or ask the host to move it':
    'Der Server ist gesperrt: Heben Sie das zuerst auf, oder bitten Sie den Anbieter, ihn umzuziehen',
  'The server is being installed: wait until it is ready':
    'Der Server wird installiert: Warten Sie, bis er bereit ist',
  'The server is being restored: wait for it':
    'Der Server wird wiederhergestellt: Warten Sie darauf',
  'The server is moving to another place: wait for it':
    'Der Server zieht an einen anderen Ort um: Warten Sie darauf',
  'The server is being brought back on another node: wait for it':
    'Der Server wird auf einen anderen Node zurückgeholt: Warten Sie darauf',
  'The server is held: wait for that to end': 'Der Server ist blockiert: Warten Sie, bis das endet',
  'The server is not installed: install it first':
    'Der Server ist nicht installiert: Installieren Sie ihn zuerst',
  'The server is going to be deleted': 'Der Server soll gelöscht werden',

  'The machine is suspended': 'Die Maschine ist gesperrt',
  'The machine is to be deleted: undo that first':
    'Die Maschine soll gelöscht werden: Machen Sie das zuerst rückgängig',
  'The machine is being installed: wait until it is ready':
    'Die Maschine wird installiert: Warten Sie, bis sie bereit ist',
  'The machine is being restored: wait for it':
    'Die Maschine wird wiederhergestellt: Warten Sie darauf',
  'A snapshot is being made: wait for it': 'Ein Snapshot wird erstellt: Warten Sie darauf',
  'The machine is moving to another place: wait for it':
    'Die Maschine zieht an einen anderen Ort um: Warten Sie darauf',
  'The machine is being deleted': 'Die Maschine wird gelöscht',
  'The machine is being brought back on another node: wait for it':
    'Die Maschine wird auf einen anderen Node zurückgeholt: Warten Sie darauf',
  'The machine is held: wait for that to end':
    'Die Maschine ist blockiert: Warten Sie, bis das endet',
  'The machine is running: stop it first': 'Die Maschine läuft: Stoppen Sie sie zuerst',
  'The machine is starting: stop it first': 'Die Maschine startet: Stoppen Sie sie zuerst',
  'The machine went down by itself: mark it as stopped first':
    'Die Maschine ist von selbst ausgegangen: Markieren Sie sie zuerst als gestoppt',
  'The machine is about to restart: cancel that first':
    'Die Maschine startet gleich neu: Brechen Sie das zuerst ab',
  'Snapshots stay on their node: delete those of the machine first':
    'Snapshots bleiben auf ihrem Node: Löschen Sie zuerst die der Maschine',
  'There is no network there': 'Dort gibt es kein Netzwerk',
  'None of its servers can be brought back elsewhere now':
    'Derzeit lässt sich keiner seiner Server anderswo zurückholen',
  'is no installation medium': 'ist kein Installationsmedium',
  'The machine is already there': 'Die Maschine ist schon dort',
  'Its former copy there is being taken away: wait a moment':
    'Ihre frühere Kopie dort wird gerade entfernt: Warten Sie einen Moment',
  'Its former copy there is kept until the machine has run here: start it once more':
    'Ihre frühere Kopie dort bleibt, bis die Maschine hier gelaufen ist: Starten Sie sie noch einmal',
  'Its former copy still lies on another node: start the machine once first':
    'Ihre frühere Kopie liegt noch auf einem anderen Node: Starten Sie die Maschine zuerst einmal',

  'The agent of {a} is too old to change the storage of servers: update it':
    'Der Agent von {a} ist zu alt, um den Speicher von Servern zu wechseln: Aktualisieren Sie ihn',
  '{a} does not have this shared storage now': '{a} hat diesen gemeinsamen Speicher zurzeit nicht',
  'Its files of an earlier stay on that storage are still to be deleted: wait a moment, or look at the page Failover':
    'Seine Dateien von früher auf diesem Speicher sind noch zu löschen: Warten Sie einen Moment, oder sehen Sie auf der Seite „Failover“ nach',
  'The RBD pool {a} of the storage {b} has no room for it: {c} are free':
    'Der RBD-Pool {a} des Speichers {b} hat keinen Platz dafür: {c} sind frei',
  'The server lies on this storage already: choose another one':
    'Der Server liegt schon auf diesem Speicher: Wählen Sie einen anderen',
  '{a} keeps another copy of it: take that, or forget it on the page Failover':
    '{a} behält eine andere Kopie von ihm: Nehmen Sie diese, oder vergessen Sie sie auf der Seite „Failover“',
  '{a} keeps another copy of it, which it cannot take from where it is: forget it on the page Failover, or choose another node':
    '{a} behält eine andere Kopie von ihm, die er von dort, wo er ist, nicht nehmen kann: Vergessen Sie diese auf der Seite „Failover“, oder wählen Sie einen anderen Node',
  'Its node keeps another copy of it, which it could not take elsewhere: take that, or forget it on the page Failover':
    'Sein Node behält eine andere Kopie von ihm, die er anderswo nicht nehmen könnte: Nehmen Sie diese, oder vergessen Sie sie auf der Seite „Failover“',
  'Its node keeps another copy of it, which it could not take elsewhere: ask the host to decide about that':
    'Sein Node behält eine andere Kopie von ihm, die er anderswo nicht nehmen könnte: Bitten Sie den Anbieter, darüber zu entscheiden',
  'Another node keeps a copy of it on that storage: save what you need of that, forget it on the page Failover, or choose another storage':
    'Ein anderer Node behält auf diesem Speicher eine Kopie von ihm: Sichern Sie, was Sie daraus brauchen, vergessen Sie diese auf der Seite „Failover“, oder wählen Sie einen anderen Speicher',
  '{a} cannot delete the copy that a change of storage left ({b}): mend that on {c}, or forget the copy on the page Failover':
    '{a} kann die Kopie nicht löschen, die ein Wechsel des Speichers übrig ließ ({b}): Beheben Sie das auf {c}, oder vergessen Sie die Kopie auf der Seite „Failover“',
  '{a} has no copy of it there: change its storage instead, so that its files are copied':
    '{a} hat dort keine Kopie von ihm: Wechseln Sie stattdessen seinen Speicher, dann werden seine Dateien kopiert',
  'What was written since is missing in the copy, and is deleted after 7 days: send confirm as true to take it':
    'Was seitdem geschrieben wurde, fehlt der Kopie und wird nach 7 Tagen gelöscht: Senden Sie confirm als true, um sie zu nehmen',
  'The copy lacks the disk {a}, which was added since: wait until its storage is back, or restore a backup':
    'Der Kopie fehlt der Datenträger {a}, der seitdem dazukam: Warten Sie, bis sein Speicher wieder da ist, oder stellen Sie ein Backup wieder her',
  '{a} is deleting the copy on that storage: wait a moment':
    '{a} löscht die Kopie auf diesem Speicher gerade: Warten Sie einen Moment',
  'Another node still has to delete files of it on that storage: wait for that':
    'Ein anderer Node muss dort noch Dateien von ihm löschen: Warten Sie das ab',
  'The server is changing its storage: wait for it, or cancel that job first':
    'Der Server wechselt gerade den Speicher: Warten Sie darauf, oder brechen Sie diesen Auftrag zuerst ab',
  '{a} is deleting this copy: look again in a minute':
    '{a} löscht diese Kopie gerade: Sehen Sie in einer Minute wieder nach',
  'The files of the copy stay where they are, and {a} deletes them no more: send confirm as true to forget it':
    'Die Dateien der Kopie bleiben, wo sie sind, und {a} löscht sie nicht mehr: Senden Sie confirm als true, um sie zu vergessen',
  'A job still writes files of this server: wait for it, or cancel it first':
    'Ein Auftrag schreibt noch Dateien dieses Servers: Warten Sie darauf, oder brechen Sie ihn zuerst ab',
  'The storage {a} has no room for it: {b} are free':
    'Der Speicher {a} hat keinen Platz dafür: {b} sind frei',
  'Where the files of a server lie is for the host to choose: leave out storageId':
    'Wo die Dateien eines Servers liegen, wählt der Anbieter: Lassen Sie storageId weg',
  'How fast a disk may be is for the host to choose: leave out limits':
    'Wie schnell eine Festplatte sein darf, wählt der Anbieter: Lassen Sie limits weg',
  'Its former copy lies there: move it back without another storage, or start it once first':
    'Dort liegt das Original: Ziehen Sie sie ohne einen anderen Speicher zurück, oder starten Sie sie zuerst einmal',
  'The agent of {a} is too old to move servers: update it':
    'Der Agent von {a} ist zu alt, um Server umzuziehen: Aktualisieren Sie ihn',
  '{a} has only {b} free': '{a} hat nur noch {b} frei',
  '{a} has not joined yet': '{a} wurde noch nicht verbunden',
  '{a} takes no new servers': '{a} nimmt keine neuen Server an',
  '{a} cannot run {b} now: {c}': '{a} kann jetzt keine {b} betreiben: {c}',
  '{a} cannot run {b} now': '{a} kann jetzt keine {b} betreiben',
  '{a} still has to delete what an earlier move left there: wait a moment':
    '{a} muss noch löschen, was ein früherer Umzug dort übrig ließ: Warten Sie einen Moment',
  '{a} cannot delete what an earlier move left there ({b}): choose another node, or mend that on {c}, which tries again by itself':
    '{a} kann nicht löschen, was ein früherer Umzug dort übrig ließ ({b}): Wählen Sie einen anderen Node, oder beheben Sie es auf {c}, der es von selbst wieder versucht',
  '{a} cannot delete what an earlier move left there: choose another node, or ask the host to look at the page Failover':
    '{a} kann nicht löschen, was ein früherer Umzug dort übrig ließ: Wählen Sie einen anderen Node, oder bitten Sie den Anbieter, auf der Seite „Failover“ nachzusehen',
  '{a} has no guard that stops its servers when it is cut off: update its agent and install the guard':
    '{a} hat keinen Wächter, der seine Server stoppt, wenn er abgeschnitten ist: Aktualisieren Sie seinen Agent, und installieren Sie den Wächter',
  'The agent of {a} is too old to stop virtual machines when it is cut off: update it':
    'Der Agent von {a} ist zu alt, um virtuelle Maschinen zu stoppen, wenn er abgeschnitten ist: Aktualisieren Sie ihn',

  '{a} takes no virtual machines': '{a} nimmt keine virtuellen Maschinen an',
  'the agent of {a} runs no virtual machines':
    'der Agent von {a} betreibt keine virtuellen Maschinen',
  '{a} has no KVM, and emulation is not allowed there: {b}':
    '{a} hat kein KVM, und Emulation ist dort nicht erlaubt: {b}',
  '{a} Mend that, or allow emulation, which is many times slower':
    '{a} Beheben Sie das, oder erlauben Sie Emulation, die um ein Vielfaches langsamer ist',
  '{a} has no swtpm for a TPM': '{a} hat kein swtpm für ein TPM',
  '{a} lacks the firmware {b}': '{a} fehlt die Firmware {b}',
  '{a} has another version of the firmware {b}': '{a} hat eine andere Version der Firmware {b}',
  '{a} does not know the processor {b}': '{a} kennt den Prozessor {b} nicht',
  'the agent of {a} is too old for media that the control plane keeps: update it':
    'der Agent von {a} ist zu alt für Medien, die die Control Plane aufbewahrt: Aktualisieren Sie ihn',
  'the image describes a disk of {a} and {b} has {c}':
    'das Image beschreibt einen Datenträger von {a}, und {b} hat {c}',
  '{a} is not a network of {b}': '{a} ist kein Netzwerk von {b}',
  'libvirt on {a} has no network {b}': 'libvirt auf {a} hat kein Netzwerk {b}',
  'the network {a} of {b} is switched off': 'das Netzwerk {a} von {b} ist ausgeschaltet',
  'the network {a} of {b} has no bridge, so nothing could keep guests from false addresses':
    'das Netzwerk {a} von {b} hat keine Bridge, also hielte nichts die Gäste von falschen Adressen ab',
  'the network {a} of {b} has other addresses: {c}':
    'das Netzwerk {a} von {b} hat andere Adressen: {c}',
  'that node does not take them': 'dieser Node nimmt keine an',
  'no node in {a} takes them yet': 'in {a} nimmt noch kein Node welche an',
  'no node with this shared storage takes them yet':
    'noch nimmt kein Node mit diesem gemeinsamen Speicher welche an',
  'no node takes them yet': 'noch nimmt kein Node welche an',

  'The agent of {a} is too old to verify backups: update it first':
    'Der Agent von {a} ist zu alt, um Backups zu prüfen: Aktualisieren Sie ihn zuerst',
  'The agent of {a} is too old to show its log':
    'Der Agent von {a} ist zu alt, um sein Log zu zeigen',
  'The driver of {a} gives no access to consoles':
    'Der Treiber von {a} gibt keinen Zugriff auf Konsolen',
  'The driver of {a} cannot install servers': 'Der Treiber von {a} kann keine Server installieren',
  'The driver of {a} does not remove unused images':
    'Der Treiber von {a} entfernt keine unbenutzten Images',
  'The driver of {a} cannot open networks to servers':
    'Der Treiber von {a} kann Servern keine Netzwerke öffnen',
  'The driver of {a} does not report what it offers virtual machines':
    'Der Treiber von {a} meldet nicht, was er virtuellen Maschinen bietet',
  'The driver of {a} takes no snapshots': 'Der Treiber von {a} erstellt keine Snapshots',
  'The driver of {a} shows no screens': 'Der Treiber von {a} zeigt keine Bildschirme',
  'The driver of {a} fetches no media': 'Der Treiber von {a} holt keine Medien',
  'The driver of {a} cannot change the storage of servers on the same node':
    'Der Treiber von {a} kann den Speicher von Servern nicht auf demselben Node wechseln',
  'The driver of {a} cannot move servers to or from another node':
    'Der Treiber von {a} kann keine Server von einem anderen Node holen oder dorthin umziehen',
  'The driver of {a} does not measure disks': 'Der Treiber von {a} misst keine Datenträger',
  'The driver of {a} cannot back up servers': 'Der Treiber von {a} kann keine Server sichern',
  'The driver of {a} gives no access to files':
    'Der Treiber von {a} gibt keinen Zugriff auf Dateien',

  'Install restic on the machine of the control plane first: apt-get install restic.':
    'Installieren Sie zuerst restic auf der Maschine der Control Plane: apt-get install restic.',
  'Say first where backups of the panel go.':
    'Geben Sie zuerst an, wohin die Backups des Panels gehen.',
  'A backup is being made.': 'Ein Backup wird gerade erstellt.',
  'Its answer to {a} is not valid: {b} {c}': 'Seine Antwort auf {a} ist ungültig: {b} {c}',
  'The document is nested too deeply': 'Das Dokument ist zu tief verschachtelt',
  'The document holds too many values': 'Das Dokument enthält zu viele Werte',
  'Its image comes from {a}, which cannot be reached now: choose another template, or ask your host':
    'Ihr Image kommt von {a}, das jetzt nicht erreichbar ist: Wählen Sie eine andere Vorlage, oder fragen Sie Ihren Anbieter',
  '{a} cannot reach {b}, where the image comes from. Unless the image is there already, the installation will fail: open the way to {c}, or choose another template':
    '{a} kann {b} nicht erreichen, von wo das Image kommt. Ist es nicht schon dort, wird die Installation fehlschlagen: Öffnen Sie den Weg zu {c}, oder wählen Sie eine andere Vorlage',

  'The service does not accept the connection any more: connect again':
    'Der Dienst nimmt die Verbindung nicht mehr an: Verbinden Sie erneut',
  'The service answered {a}': 'Der Dienst hat mit {a} geantwortet',
}

/** What stands in them. */
export const valuesOfHindrances: Phrases = {
  'container servers': 'Container-Server',
  'virtual machines': 'virtuellen Maschinen',
  '{a} MiB of memory': '{a} MiB Arbeitsspeicher',
  '{a} MiB of disk': '{a} MiB Speicherplatz',
  'No node': 'Kein Node',
}
