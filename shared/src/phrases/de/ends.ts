import type { Phrases } from '../phrasebook.ts'

/** How servers ended, which is also a value of what follows. */
export const exits: Phrases = {
  'The server was shut down by its own system':
    'Der Server wurde von seinem eigenen System heruntergefahren',
  "The server's system crashed (kernel panic)":
    'Das System des Servers ist abgestürzt (Kernel-Panic)',
  "The server's system hung and its watchdog ended it":
    'Das System des Servers hing, und sein Watchdog hat es beendet',
  'The server ended because the process that carried it died':
    'Der Server endete, weil der Prozess starb, der ihn trug',
  'The server was powered off': 'Der Server wurde ausgeschaltet',
  'The server ran out of memory': 'Dem Server ging der RAM aus',
  'The server was killed by {signal}': 'Der Server wurde durch {signal} beendet',
  'The server ended with exit code {code}': 'Der Server endete mit Exit-Code {code}',
  'The server ended': 'Der Server endete',
}

/** What follows after a server ended by itself. */
export const crashes: Phrases = {
  '{how}; its policy is never to restart it': '{how}; er wird laut Einstellung nie neu gestartet',
  '{how}, which is no failure; it is restarted on failure only':
    '{how}, was kein Fehler ist; er wird nur nach Fehlern neu gestartet',
  '{how}; its policy allows no restart': '{how}; laut Einstellung ist kein Neustart erlaubt',
  '{how}; it was already restarted once within 1 minute, so it stays stopped':
    '{how}; er wurde innerhalb einer Minute schon einmal neu gestartet und bleibt daher gestoppt',
  '{how}; it was already restarted once within {minutes} minutes, so it stays stopped':
    '{how}; er wurde innerhalb von {minutes} Minuten schon einmal neu gestartet und bleibt daher gestoppt',
  '{how}; it was already restarted {times} times within 1 minute, so it stays stopped':
    '{how}; er wurde innerhalb einer Minute schon {times}-mal neu gestartet und bleibt daher gestoppt',
  '{how}; it was already restarted {times} times within {minutes} minutes, so it stays stopped':
    '{how}; er wurde innerhalb von {minutes} Minuten schon {times}-mal neu gestartet und bleibt daher gestoppt',
  '{how}; restart {attempt} of {most} within 1 minute in {wait} s':
    '{how}; Neustart {attempt} von {most} innerhalb einer Minute in {wait} s',
  '{how}; restart {attempt} of {most} within {minutes} minutes in {wait} s':
    '{how}; Neustart {attempt} von {most} innerhalb von {minutes} Minuten in {wait} s',
}
