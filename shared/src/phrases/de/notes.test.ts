import { expect, test } from 'vitest'
import { sayReason } from './index.ts'

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
