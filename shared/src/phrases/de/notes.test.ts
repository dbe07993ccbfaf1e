import { expect, test } from 'vitest'
import { hindrances, sayReason } from './index.ts'

test.each([
  [
    'The rule "between:1" was left out: it needs two numbers',
    'Die Regel „between:1“ wurde weggelassen: Sie braucht zwei Zahlen',
  ],
  [
    'The image was left out: an image name has at most 255 characters',
    'Das Image wurde weggelassen: ein Image-Name hat höchstens 255 Zeichen',
  ],
  [
    'The file was left out: its path leaves the data folder',
    'Die Datei wurde weggelassen: Ihr Pfad verlässt den Datenordner',
  ],
  [
    'The placeholder Fremd.Wort is not known and stays as it is',
    'Der Platzhalter Fremd.Wort ist nicht bekannt und bleibt, wie er ist',
  ],
])('what became of an imported document is told in German: %s', (text, german) => {
  expect(sayReason(text)).toBe(german)
})

test.each([
  ['It answered 503', 'Der Empfänger antwortete mit 503'],
  [
    'It did not answer within 15 seconds',
    'Der Empfänger antwortete nicht innerhalb von 15 Sekunden',
  ],
  [
    'The address is not used: only https is spoken',
    'Die Adresse wird nicht benutzt: Es wird nur https gesprochen',
  ],
  [
    'Sent in the built-in style: the receiver answered 400 to the chosen one',
    'Im eingebauten Stil gesendet: Auf den gewählten antwortete der Empfänger mit 400',
  ],
  [
    'It could not be reached: write EPROTO 80C',
    'Der Empfänger war nicht zu erreichen: write EPROTO 80C',
  ],
])('the log of a channel says in German why a message did not arrive: %s', (text, german) => {
  expect(sayReason(text)).toBe(german)
})

test.each([
  [
    'No node has room for 512 MiB of memory, 100% CPU and 2048 MiB of disk: n1 has only 0 MiB of memory, 50% CPU free; n2 takes no new servers',
    'Kein Node hat Platz für 512 MiB Arbeitsspeicher, 100% CPU und 2048 MiB Speicherplatz: n1 hat nur noch 0 MiB Arbeitsspeicher, 50% CPU frei; n2 nimmt keine neuen Server an',
  ],
  [
    'No node can run this virtual machine: n1 has no KVM, and emulation is not allowed there: This node has no KVM: there is no /dev/kvm.',
    'Kein Node kann diese virtuelle Maschine ausführen: n1 hat kein KVM, und Emulation ist dort nicht erlaubt: Dieser Node hat kein KVM: Es gibt kein /dev/kvm.',
  ],
  [
    'n1 cannot run container servers now: Docker does not answer',
    'n1 kann jetzt keine Container-Server betreiben: Docker antwortet nicht',
  ],
  ['The machine is being deleted', 'Die Maschine wird gelöscht'],
])('reasons are said in German, also several at once: %s', (text, german) => {
  expect(sayReason(text)).toBe(german)
})

test('no refusal takes one of these reasons for its own', () => {
  const taken = Object.entries(hindrances).filter(([text, german]) => {
    const named = (phrase: string) => phrase.replaceAll(/\{(\w)\}/g, 'q-$1')
    return sayReason(named(text)) !== named(german)
  })
  expect(taken).toEqual([])
})

test.each([
  ['No node has room for it', 'Kein Node hat Platz für ihn'],
  [
    'No node can take it: The agent of a is too old to take in servers: update it; There is no other node',
    'Kein Node kann ihn aufnehmen: Der Agent von a ist zu alt, um Server aufzunehmen: Aktualisieren Sie ihn; Es gibt keinen anderen Node',
  ],
  [
    'It has just moved here, and goes back to zrh-1, which has its files from before',
    'Er ist gerade erst hierher umgezogen und kehrt zu zrh-1 zurück, wo seine Dateien von vorher sind',
  ],
])('a plan says in German why a server stays: %s', (text, german) => {
  expect(sayReason(text)).toBe(german)
})
