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

/** Why a server was ended, and how it was then seen to end. */
export const stops: Phrases = {
  'Stopped on request': 'Auf Wunsch gestoppt',
  'Stopped to be started again': 'Gestoppt, um neu gestartet zu werden',
  'Stopped for an installation': 'Für eine Installation gestoppt',
  'Ended with the lease of the node, because the server may run elsewhere by now':
    'Mit der Lease des Nodes beendet, weil der Server inzwischen anderswo laufen kann',
  'Stopped because the control plane does not know it on this node; its data is kept':
    'Gestoppt, weil die Control Plane ihn auf diesem Node nicht kennt; seine Daten bleiben erhalten',
  '{why}, but it did not end within {seconds} s of being asked and was killed':
    '{why}, aber er endete nicht innerhalb von {seconds} s nach der Aufforderung und wurde zwangsweise beendet',
}

/** The same, followed by how it was seen to end. */
export const seenStops: Phrases = Object.fromEntries(
  Object.entries(stops).map(([text, german]) => [`${text}. {how}`, `${german}. {how}`]),
)

/** What else an agent reports of a server. */
export const reports: Phrases = {
  "The server's own system has restarted it; it ran on":
    'Das eigene System des Servers hat ihn neu gestartet; er lief weiter',
  'A process of the server ran out of memory and was killed':
    'Einem Prozess des Servers ging der RAM aus, und er wurde beendet',
  'The workload was removed outside the panel. It is created again at the next start':
    'Der Container oder die Maschine wurde außerhalb des Panels entfernt. Beim nächsten Start entsteht der Server neu',
  'The workload was removed outside the panel. It is created again':
    'Der Container oder die Maschine wurde außerhalb des Panels entfernt. Der Server entsteht neu',
  'The node had lost the control plane for so long that the server may run elsewhere, and ended it. It is started again when the node may run it':
    'Der Node hatte die Control Plane so lange verloren, dass der Server anderswo laufen kann, und hat ihn beendet. Er startet wieder, sobald der Node ihn betreiben darf',
  "The {a} MiB of the server's disk are used up: it can write nothing more. Delete files or give it more":
    'Die {a} MiB der Festplatte des Servers sind verbraucht: Er kann nichts mehr schreiben. Löschen Sie Dateien, oder geben Sie ihm mehr',
  "The {a} MiB of the server's disk are used up. Delete files or give it more":
    'Die {a} MiB der Festplatte des Servers sind verbraucht. Löschen Sie Dateien, oder geben Sie ihm mehr',
  'The installation is complete': 'Die Installation ist fertig',
  'The agent found the server running and took it over':
    'Der Agent fand den Server laufend vor und hat ihn übernommen',
  'Restarted after it had ended by itself': 'Neu gestartet, nachdem er von selbst geendet hatte',
  'The server is up': 'Der Server ist bereit',
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
