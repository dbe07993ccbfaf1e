import { expect, test } from 'vitest'
import { sayReason } from './index.ts'

test('what failed is said in German with what failed underneath', () => {
  expect(
    sayReason(
      'The server did not start on the other node, so it is where it was: Port 25565 is in use on this machine.',
    ),
  ).toBe(
    'Der Server ist auf dem anderen Node nicht gestartet und ist daher, wo er war: Port 25565 ist auf diesem Rechner belegt.',
  )
  expect(sayReason('Task 2: The server ended with exit code 1 before it was up')).toBe(
    'Aufgabe 2: Der Server endete mit Exit-Code 1, bevor er bereit war',
  )
  expect(sayReason('The disk of this machine is full. It is tried again')).toBe(
    'Die Festplatte dieses Rechners ist voll. Es wird weiter versucht',
  )
})

test('a move that lost its target says in German what became of the server', () => {
  expect(
    sayReason(
      'node-2 was lost before it had all of the server, so it stays on node-1 and can be used again. Move it to a node that is connected. node-2 deletes its part when it is back',
    ),
  ).toBe(
    'node-2 ging verloren, bevor er den ganzen Server hatte, daher bleibt er auf node-1 und kann wieder benutzt werden. Ziehen Sie ihn auf einen Node um, der verbunden ist. node-2 löscht seinen Teil, sobald er zurück ist',
  )
})

test('checks of nodes say in German what they found, with the figures', () => {
  expect(sayReason('Debian images can be built here; 3 take 2 GiB, 1 GiB of it unused')).toBe(
    'Debian-Images lassen sich hier bauen; 3 belegen 2 GiB, davon 1 GiB ungenutzt',
  )
  expect(sayReason('Debian images can be built here')).toBe('Debian-Images lassen sich hier bauen')
  expect(sayReason('Servers cannot be backed up: restic is not installed')).toBe(
    'Server lassen sich nicht sichern: restic ist nicht installiert',
  )
  expect(sayReason('Ports between 28110 and 28114 can be bound')).toBe(
    'Ports zwischen 28110 und 28114 lassen sich belegen',
  )
  expect(sayReason('Another program of this machine has the port 8445.')).toBe(
    'Ein anderes Programm dieses Rechners belegt den Port 8445.',
  )
  expect(sayReason('The port 80 could not be opened: listen EACCES')).toBe(
    'Der Port 80 ließ sich nicht öffnen: listen EACCES',
  )
})

test.each([
  [
    '3 entries were left out, such as /logs/old: it is not there',
    '3 Einträge wurden ausgelassen, zum Beispiel /logs/old: nicht vorhanden',
  ],
  [
    'Written to /backups/files.zip. 1 entry was left out: /gone: it is not there',
    'Geschrieben nach /backups/files.zip. 1 Eintrag wurde ausgelassen: /gone: nicht vorhanden',
  ],
  [
    'The archive cannot be unpacked: it is damaged.',
    'Das Archiv lässt sich nicht entpacken: es ist beschädigt.',
  ],
  [
    'Nothing could be downloaded from files.example:8443: the server answered 404.',
    'Von files.example:8443 ließ sich nichts herunterladen: der Server antwortete mit 404.',
  ],
])('what became of files is said in German, whatever they are called: %s', (english, german) => {
  expect(sayReason(english)).toBe(german)
})

test('what people or programs wrote stays as it is', () => {
  for (const text of ['My server', 'ECONNREFUSED', 'permission denied', 'Wartung und Pflege'])
    expect(sayReason(text)).toBe(text)
})
