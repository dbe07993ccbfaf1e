import type { Phrases } from '../phrasebook.ts'

/** Why the files of a server could not be read or changed. */
export const failuresOfFiles: Phrases = {
  'There is no such file.': 'Diese Datei gibt es nicht.',
  'There is nothing at {a}.': 'Unter {a} gibt es nichts.',
  'There is already something with this name.': 'Unter diesem Namen gibt es schon etwas.',
  'There is already something at {a}.': 'Unter {a} gibt es schon etwas.',
  'A part of the path is not a folder.': 'Ein Teil des Pfads ist kein Ordner.',
  'This is a folder, not a file.': 'Das ist ein Ordner, keine Datei.',
  '{a} is a folder, not a file.': '{a} ist ein Ordner, keine Datei.',
  'This is not a file.': 'Das ist keine Datei.',
  '{a} is not a file.': '{a} ist keine Datei.',
  'This is neither a file nor a folder.': 'Das ist weder eine Datei noch ein Ordner.',
  '{a} is neither a file nor a folder.': '{a} ist weder eine Datei noch ein Ordner.',
  'The folder is not empty.': 'Der Ordner ist nicht leer.',
  'This is the folder of the server itself.': 'Das ist der Ordner des Servers selbst.',
  'The permissions of the file do not allow this.': 'Die Rechte der Datei erlauben das nicht.',
  'The files cannot be changed at the moment.':
    'Die Dateien lassen sich im Augenblick nicht ändern.',
  'The path leads through a link that cannot be followed.':
    'Der Pfad führt über einen Link, dem nicht gefolgt werden kann.',
  'The path leads out of the server.': 'Der Pfad führt aus dem Server hinaus.',
  '{a} is a link that leads nowhere.': '{a} ist ein Link, der nirgendwohin führt.',
  'The path is not possible.': 'Dieser Pfad ist nicht möglich.',
  'The path has to be absolute, without . and ..': 'Der Pfad muss absolut sein, ohne . und ..',
  'The name is too long.': 'Der Name ist zu lang.',
  'There is not enough room left on the disk of the server.':
    'Auf der Festplatte des Servers ist nicht mehr genug Platz.',
  'The file would be too large.': 'Die Datei würde zu groß.',
  'The file is larger than {a} bytes.': 'Die Datei ist größer als {a} Byte.',
  '{a} is too large to be copied at once.': '{a} ist zu groß, um sofort kopiert zu werden.',
  'The file is shorter than that.': 'So lang ist die Datei nicht.',
  '{a} has changed since it was read.': '{a} wurde geändert, seit die Datei gelesen wurde.',
  '{a} was deleted right away.': '{a} wurde sofort wieder gelöscht.',
  '{a} was moved meanwhile.': '{a} wurde inzwischen verschoben.',
  'It is no longer among the deleted files.': 'Das ist nicht mehr unter den gelöschten Dateien.',
  'Too many files are called as {a} was.': 'Zu viele Dateien heißen, wie {a} hieß.',
  'There is no room to keep this as deleted files: delete it for good instead.':
    'Für das Aufbewahren als gelöschte Dateien fehlt der Platz: Löschen Sie es stattdessen endgültig.',
  '{a} cannot be copied into itself.': '{a} lässt sich nicht in sich selbst kopieren.',
  '{a} cannot be moved into itself.': '{a} lässt sich nicht in sich selbst verschieben.',
  'You may not do this with {a}.': 'Das dürfen Sie mit {a} nicht tun.',
  '{a} contains files that you may not change.':
    '{a} enthält Dateien, die Sie nicht ändern dürfen.',
  '"{a}" is needed for changes, but is a file or a link: delete it on the server.':
    '„{a}“ wird für Änderungen gebraucht, ist aber eine Datei oder ein Link: Löschen Sie das auf dem Server.',
  'There is no such upload.': 'Diesen Upload gibt es nicht.',
  'The upload goes on at byte {a}.': 'Der Upload geht bei Byte {a} weiter.',
  'More bytes were sent than the upload has.': 'Es wurden mehr Bytes gesendet, als der Upload hat.',
  'The archive cannot be unpacked: {a}.': 'Das Archiv lässt sich nicht entpacken: {a}.',
  'This is no archive that can be unpacked: zip, 7z, tar, tar.gz or tar.zst.':
    'Das ist kein Archiv, das sich entpacken lässt: zip, 7z, tar, tar.gz oder tar.zst.',
  'This node cannot unpack 7z archives until its operator installs libarchive-tools there. Zip, tar, tar.gz and tar.zst work.':
    'Dieser Node kann 7z-Archive nicht entpacken, bis sein Betreiber dort libarchive-tools installiert. Zip, tar, tar.gz und tar.zst gehen.',
  'A hard link leads to something else than a file.':
    'Ein Hardlink führt zu etwas anderem als einer Datei.',
  'Nothing could be downloaded from {a}: {b}.': 'Von {a} ließ sich nichts herunterladen: {b}.',
  'Nothing is downloaded from {a}, because its address is not one of the public internet. Ask your host to allow it.':
    'Von {a} wird nichts heruntergeladen, weil die Adresse nicht zum öffentlichen Internet gehört. Bitten Sie Ihren Anbieter, sie zu erlauben.',
  'The download ended early.': 'Der Download endete zu früh.',
  'This task is already under way.': 'Diese Aufgabe läuft schon.',
  'The node could not do this.': 'Der Node konnte das nicht tun.',
  'The node cannot use this task: {a}: {b}':
    'Der Node kann diese Aufgabe nicht verwenden: {a}: {b}',
  'The file service of the server has ended.': 'Der Dateidienst des Servers hat sich beendet.',
  '1 entry was left out: {a}: {b}': '1 Eintrag wurde ausgelassen: {a}: {b}',
  '{a} entries were left out': '{a} Einträge wurden ausgelassen',
  '{a} entries were left out, such as {b}: {c}':
    '{a} Einträge wurden ausgelassen, zum Beispiel {b}: {c}',
  'Written to {a}. {b}': 'Geschrieben nach {a}. {b}',
}

/** What follows a colon there. */
export const reasonsOfFiles: Phrases = {
  'it is nested too deeply': 'liegt zu tief',
  'it could not be opened': 'ließ sich nicht öffnen',
  'it could not be read': 'ließ sich nicht lesen',
  'its name is no text': 'der Name ist kein Text',
  'it is neither a file nor a folder': 'weder Datei noch Ordner',
  'it is another name of a file that the archive lacks':
    'ein weiterer Name einer Datei, die dem Archiv fehlt',
  'it is a link that leads out of the server': 'ein Link, der aus dem Server hinausführt',
  'it is not there': 'nicht vorhanden',
  'it was replaced meanwhile': 'inzwischen ersetzt',
  'it already exists': 'schon vorhanden',
  'the name is reserved': 'der Name ist reserviert',
  'you may not write there': 'dort dürfen Sie nicht schreiben',
  'a folder has this name': 'ein Ordner heißt so',
  'it would become far larger than any honest archive':
    'es würde weit größer als jedes ehrliche Archiv',
  'it is damaged': 'es ist beschädigt',
  'it is encrypted': 'es ist verschlüsselt',
  'it is damaged, encrypted, or packed in a way that this node cannot read':
    'es ist beschädigt, verschlüsselt oder so gepackt, dass dieser Node es nicht lesen kann',
  'it has more than a million entries': 'es hat mehr als eine Million Einträge',
  'it has the entry {a}': 'es hat den Eintrag {a}',
  'it has an impossible link': 'es hat einen unmöglichen Link',
  'the connection failed': 'die Verbindung kam nicht zustande',
  'it redirects too often': 'die Adresse leitet zu oft weiter',
  'the server answered {a}': 'der Server antwortete mit {a}',
}
