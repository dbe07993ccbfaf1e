import type { Phrases } from '../phrasebook.ts'

/** Permissions of administrators and of people with whom a server is shared; areas and presets. */
export const permissions: Phrases = {
  'See every server': 'Alle Server sehen',
  'Create servers': 'Server erstellen',
  'Change name and size of servers': 'Name und Größe von Servern ändern',
  'Delete servers': 'Server löschen',
  'Start, stop and restart servers': 'Server starten, stoppen und neu starten',
  'Read and use consoles': 'Konsolen lesen und benutzen',
  'Read and change files of servers': 'Dateien von Servern lesen und ändern',
  'Create, restore and delete backups': 'Backups erstellen, wiederherstellen und löschen',
  'Suspend servers': 'Server sperren',
  'Exceed the limits of a customer': 'Limits eines Kunden überschreiten',
  'See nodes': 'Nodes sehen',
  'Add, change and remove nodes': 'Nodes hinzufügen, ändern und entfernen',
  'Manage media, networks and hardware profiles of virtual machines':
    'Medien, Netzwerke und Hardwareprofile virtueller Maschinen verwalten',
  'See templates with their commands': 'Vorlagen mit ihren Befehlen sehen',
  'Create, change and import templates': 'Vorlagen erstellen, ändern und importieren',
  'See customers': 'Kunden sehen',
  'Create and change customers': 'Kunden anlegen und ändern',
  'View the panel as a customer, without changing anything':
    'Das Panel als Kunde ansehen, ohne etwas zu ändern',
  'Set the limits of a customer': 'Limits eines Kunden festlegen',
  'Approve and reject sign-ups': 'Registrierungen freischalten und ablehnen',
  'Write notes about customers, which they never see':
    'Notizen über Kunden schreiben, die diese nie sehen',
  'See suspensions and appeals of customers': 'Sperren und Einsprüche von Kunden sehen',
  'Suspend customers, lift suspensions and answer appeals':
    'Kunden sperren, Sperren aufheben und Einsprüche beantworten',
  'Read and write internal notes about suspensions':
    'Interne Notizen zu Sperren lesen und schreiben',
  'See plans and how many customers have them': 'Tarife und die Zahl ihrer Kunden sehen',
  'Create, change and archive plans': 'Tarife erstellen, ändern und archivieren',
  'See subscriptions, invoices and payments of customers':
    'Abonnements, Rechnungen und Zahlungen von Kunden sehen',
  'Record payments, void invoices, and hold or end subscriptions':
    'Zahlungen erfassen, Rechnungen stornieren, Abonnements anhalten oder beenden',
  'Refund what customers paid': 'Zahlungen von Kunden erstatten',
  'Change how customers pay and what happens when they do not':
    'Ändern, wie Kunden zahlen und was geschieht, wenn sie nicht zahlen',
  'Change the limit settings and defaults': 'Einstellungen und Standardwerte der Limits ändern',
  'Create and revoke API tokens': 'API-Tokens erstellen und widerrufen',
  'See every job': 'Alle Aufträge sehen',
  'Cancel and retry every job': 'Alle Aufträge abbrechen und wiederholen',
  'See tickets of customers and the notes in them':
    'Tickets von Kunden und die Notizen darin sehen',
  'Answer tickets, write notes, and change their status and tags':
    'Tickets beantworten, Notizen schreiben, Status und Tags ändern',
  'Give tickets to groups and agents': 'Tickets an Gruppen und Bearbeiter geben',
  'Delete tickets with their messages and files':
    'Tickets mit ihren Nachrichten und Dateien löschen',
  'Arrange the support desk: categories, groups, hours and rules':
    'Den Support-Desk einrichten: Kategorien, Gruppen, Zeiten und Regeln',
  'See the reports of the support desk': 'Berichte des Support-Desks sehen',
  'Write, publish and delete help articles': 'Hilfeartikel schreiben, veröffentlichen und löschen',
  'See drafts of the status page and how many people subscribe to it':
    'Entwürfe der Statusseite und die Zahl ihrer Abonnenten sehen',
  'Run the status page: components, incidents and maintenance':
    'Die Statusseite führen: Komponenten, Störungen und Wartung',
  'Change the sign-up settings and invite people':
    'Einstellungen der Registrierung ändern und Personen einladen',
  'See the administrators': 'Administratoren sehen',
  'Invite, change and remove administrators': 'Administratoren einladen, ändern und entfernen',
  'Change the look of the panel and its announcement':
    'Erscheinungsbild und Ankündigung des Panels ändern',
  'Read sent mails': 'Gesendete E-Mails lesen',
  'Change mail templates and resend mails': 'E-Mail-Vorlagen ändern und E-Mails erneut senden',
  'See installed plugins, their health and logs':
    'Installierte Plugins, ihren Zustand und ihre Protokolle sehen',
  'Install, update, configure and remove plugins':
    'Plugins installieren, aktualisieren, einstellen und entfernen',
  'Read the audit log': 'Das Protokoll lesen',
  'Change the settings of the installation': 'Die Einstellungen der Installation ändern',
  'Decide on reports of usage to the makers of Lodge':
    'Über Nutzungsberichte an die Hersteller von Lodge entscheiden',

  'End at once, without saving': 'Sofort beenden, ohne zu speichern',
  'Read the console': 'Die Konsole lesen',
  'Send commands': 'Befehle senden',
  'Read files': 'Dateien lesen',
  'Create and change files': 'Dateien erstellen und ändern',
  'Delete files': 'Dateien löschen',
  'Reach the files by SFTP': 'Über SFTP auf Dateien zugreifen',
  'See backups': 'Backups sehen',
  'Make backups': 'Backups erstellen',
  'Put a backup back': 'Ein Backup wiederherstellen',
  'Delete backups': 'Backups löschen',
  'Download backups': 'Backups herunterladen',
  'See the ports': 'Ports sehen',
  'Add and remove ports': 'Ports hinzufügen und entfernen',
  'See start command and variables': 'Startbefehl und Variablen sehen',
  'Change variables': 'Variablen ändern',
  'Rename the server': 'Den Server umbenennen',
  'Install the server again': 'Den Server neu installieren',
  'Move the server to another node': 'Den Server auf einen anderen Node umziehen',
  'See schedules': 'Zeitpläne sehen',
  'Create and change schedules': 'Zeitpläne erstellen und ändern',
  'Run schedules now': 'Zeitpläne sofort ausführen',
  'See with whom the server is shared': 'Sehen, mit wem der Server geteilt ist',
  'Share the server with others': 'Den Server mit anderen teilen',
  'See the figures of use': 'Auslastung sehen',
  'See crashes and who did what': 'Abstürze sehen und wer was getan hat',
  'See what happens after a crash': 'Sehen, was nach einem Absturz geschieht',
  'Change what happens after a crash': 'Ändern, was nach einem Absturz geschieht',
  'Install and remove mods and plugins': 'Mods und Plugins installieren und entfernen',
  'See the hardware of a virtual machine': 'Die Hardware einer virtuellen Maschine sehen',
  'Use the screen': 'Den Bildschirm benutzen',
  'Insert and eject media': 'Medien einlegen und auswerfen',
  'Add, enlarge and remove disks': 'Datenträger hinzufügen, vergrößern und entfernen',
  'Change the network card': 'Die Netzwerkkarte ändern',
  'Change processors and memory': 'Prozessoren und Arbeitsspeicher ändern',
  'Take and put back snapshots': 'Snapshots erstellen und wiederherstellen',

  'Be told: An account was suspended (its id, its email address and the reason)':
    'Erfahren: Ein Konto wurde gesperrt (seine ID, E-Mail-Adresse und der Grund)',
  'Be told: The suspension of an account ended (its id and its email address)':
    'Erfahren: Die Sperre eines Kontos ist beendet (seine ID und E-Mail-Adresse)',
  'Be told: A backup was made (of which server, and its size)':
    'Erfahren: Ein Backup wurde erstellt (von welchem Server und wie groß)',
  'Be told: A backup failed (of which server, and why)':
    'Erfahren: Ein Backup ist fehlgeschlagen (von welchem Server und warum)',
  'Be told: A customer was deleted (their id)': 'Erfahren: Ein Kunde wurde gelöscht (seine ID)',
  'Be told: A node is offline (its name and how many servers it has)':
    'Erfahren: Ein Node ist offline (sein Name und die Zahl seiner Server)',
  'Be told: A node is online again (its name)': 'Erfahren: Ein Node ist wieder online (sein Name)',
  'Be told: A server crashed too often to be started again (which one, and why)':
    'Erfahren: Ein Server ist zu oft abgestürzt, um wieder gestartet zu werden (welcher und warum)',
  'Be told: Somebody waits for approval (their email address)':
    'Erfahren: Jemand wartet auf Freischaltung (E-Mail-Adresse)',
  'Read every file that people attach to messages, and keep others from downloading it':
    'Jede Datei lesen, die jemand an Nachrichten anhängt, und das Herunterladen verhindern',
  'Switch nodes off, and for that reach the hosts of LODGE_FENCE_HOSTS':
    'Nodes ausschalten und dafür die Hosts aus LODGE_FENCE_HOSTS erreichen',
  'Read and word the notifications of people who chose its style for a channel':
    'Die Benachrichtigungen derer lesen und formulieren, die für einen Kanal seinen Stil gewählt haben',
  'Add pages to the panel for customers: it learns who uses them, on which server and with which rights there':
    'Dem Panel Seiten für Kunden hinzufügen: Es erfährt, wer sie benutzt, auf welchem Server und mit welchen Rechten dort',
  'Add pages to the panel for administrators: it learns who uses them, and on which server':
    'Dem Panel Seiten für Administratoren hinzufügen: Es erfährt, wer sie benutzt und auf welchem Server',
  'Keep up to 10 MiB of its own data in the database of the panel':
    'Bis zu 10 MiB eigener Daten in der Datenbank des Panels speichern',
  'Use the API with the permission: {what}': 'Die API benutzen mit der Berechtigung: {what}',
  'Send data to {host} and receive data from it': 'Daten an {host} senden und von dort empfangen',
  'Calculate the tax of invoices: it receives what customers buy, where they are, and their tax numbers':
    'Die Steuer von Rechnungen berechnen: Es erhält, was Kunden kaufen, wo sie sind, und ihre Steuernummern',
  'Take payments: it receives names and email addresses of customers, and what they pay':
    'Zahlungen annehmen: Es erhält Namen und E-Mail-Adressen der Kunden und was sie zahlen',
}
