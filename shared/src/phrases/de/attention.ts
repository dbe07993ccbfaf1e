import type { Phrases } from '../phrasebook.ts'

/** What needs the attention of operators, and what to do about it. */
export const attention: Phrases = {
  'The disk of the control plane is full: {a}': 'Die Disk der Control Plane ist voll: {a}',
  'The disk of the control plane is {a}% full: {b}':
    'Die Disk der Control Plane ist zu {a} % voll: {b}',
  'Nothing can be changed. Free space or enlarge the disk. The panel then continues by itself.':
    'Nichts lässt sich ändern. Schaffen Sie Platz, oder vergrößern Sie die Disk. Danach arbeitet das Panel von selbst weiter.',
  'Free space or enlarge the disk. Once it is full, nothing can be changed.':
    'Schaffen Sie Platz, oder vergrößern Sie die Disk. Sobald sie voll ist, lässt sich nichts mehr ändern.',
  '{a} waits for an answer': '{a} wartet auf eine Antwort',
  'They appeal the suspension of their account. Answer, grant or reject the appeal.':
    'Das ist ein Einspruch gegen die Sperre des Kontos. Beantworten Sie ihn, geben Sie ihm statt, oder lehnen Sie ihn ab.',
  'The control plane owns its database tables': 'Der Control Plane gehören ihre Datenbanktabellen',
  'Lodge works on its database with the rights of the owner of its tables: {a}. Give it a role of its own with LODGE_APPLICATION_DATABASE_URL.':
    'Lodge arbeitet auf der Datenbank mit den Rechten des Eigentümers der Tabellen: {a}. Geben Sie ihm mit LODGE_APPLICATION_DATABASE_URL eine eigene Rolle.',
  'This panel does nothing by itself': 'Dieses Panel tut nichts von selbst',
  'LODGE_WORK=false is set, as for looking into a backup: no job begins, no mail is sent, and no schedule and no invoice is due. Start it without that to work with it.':
    'LODGE_WORK=false ist gesetzt, wie für den Blick in ein Backup: Kein Auftrag beginnt, keine E-Mail wird gesendet, kein Zeitplan und keine Rechnung wird fällig. Starten Sie es ohne das, um damit zu arbeiten.',
  'A mail cannot be sent': 'Eine E-Mail lässt sich nicht senden',
  '{a} mails cannot be sent': '{a} E-Mails lassen sich nicht senden',
  'The panel has no recent backup': 'Das Panel hat kein aktuelles Backup',
  'The panel could not be backed up': 'Das Panel konnte nicht gesichert werden',
  'Scheduled backups are missing. Check when and where they are made.':
    'Geplante Backups fehlen. Prüfen Sie, wann und wo sie gemacht werden.',
  '{a} knows more than the database, which was set back in time':
    '{a} weiß mehr als die Datenbank, die zurückgesetzt wurde',
  'Nothing is started, stopped or deleted by itself: decide which state counts for {a}.':
    'Nichts wird von selbst gestartet, gestoppt oder gelöscht: Entscheiden Sie, welcher Stand gilt für {a}.',
  'The database was set back in time': 'Die Datenbank wurde zurückgesetzt',
  'Nothing happens by itself on nodes that have not sent their inventory since: {a}.':
    'Auf Nodes, die seitdem kein Inventar gesendet haben, geschieht nichts von selbst: {a}.',
  '{a} is not connected': '{a} ist nicht verbunden',
  'You cannot control {a} on it. Check that the machine is running and its agent can reach the control plane.':
    'Sie können darauf {a} nicht steuern. Prüfen Sie, ob die Maschine läuft und ihr Agent die Control Plane erreicht.',
  'See the checks of the node.': 'Sehen Sie die Prüfungen des Nodes an.',
  'The disk of {a} is {b}% full': 'Die Disk von {a} ist zu {b} % voll',
  'Free space on it, or move servers to another node. Once it is full, servers cannot write.':
    'Schaffen Sie darauf Platz, oder ziehen Sie Server auf einen anderen Node um. Sobald sie voll ist, können Server nichts mehr schreiben.',
  '{a} is overcommitted': '{a} ist überbelegt',
  'Allocated: {a}. Move servers, or correct the capacity of the node.':
    'Vergeben: {a}. Ziehen Sie Server um, oder korrigieren Sie die Kapazität des Nodes.',
  'The agent of {a} is outdated ({b})': 'Der Agent von {a} ist veraltet ({b})',
  'Update it to {a}.': 'Aktualisieren Sie ihn auf {a}.',
  'See the steps of the job.': 'Sehen Sie die Schritte des Jobs an.',
  'The installation of {a} failed': 'Die Installation von {a} ist fehlgeschlagen',
  '{a} crashed and is not restarted': '{a} ist abgestürzt und wird nicht neu gestartet',
  'Check the installation log, then reinstall the server.':
    'Sehen Sie das Installationsprotokoll an, und installieren Sie den Server dann neu.',
  'Check its console, then start it again.':
    'Sehen Sie die Konsole an, und starten Sie ihn dann wieder.',
}

/** Values in them, each of which may be one of several after commas. */
export const valuesOfAttention: Phrases = {
  '{a} server': '{a} Server',
  '{a} servers': '{a} Server',
  '{a} of {b} memory': '{a} von {b} Arbeitsspeicher',
  '{a} of {b} CPU': '{a} von {b} CPU',
  '{a} of {b} disk': '{a} von {b} Disk',
  '{a} MiB are left for {b}': '{a} MiB sind frei für {b}',
  'DATABASE_URL may not make roles': 'DATABASE_URL darf keine Rollen anlegen',
  'the role {a} has the rights of the owner': 'die Rolle {a} hat die Rechte des Eigentümers',
  'the role made for it cannot connect: {a}':
    'die dafür angelegte Rolle kann sich nicht verbinden: {a}',
}
