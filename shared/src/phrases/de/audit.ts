import type { Phrases } from '../phrasebook.ts'

/** What the audit log says after the name of who did it. */
export const audit: Phrases = {
  ', and was shown the link': ' und bekam den Link angezeigt',

  'changed the self-service settings': 'hat die Einstellungen der Selbstbedienung geändert',
  'changed their e-mail address': 'hat die eigene E-Mail-Adresse geändert',
  'created the customer {target}': 'hat den Kunden {target} angelegt',
  'changed the customer {target}': 'hat den Kunden {target} geändert',
  'removed the customer {target}': 'hat den Kunden {target} entfernt',
  'deleted a note about {target}': 'hat eine Notiz über {target} gelöscht',
  'changed a note about {target}': 'hat eine Notiz über {target} geändert',
  'wrote a note about {target}': 'hat eine Notiz über {target} geschrieben',
  'noticed that the database was set back in time':
    'hat bemerkt, dass die Datenbank zurückgesetzt wurde',
  'found that {target} knows more than the database':
    'hat festgestellt, dass {target} mehr weiß als die Datenbank',
  'decided which state of a server counts after the database was set back':
    'hat entschieden, welcher Stand eines Servers nach dem Zurücksetzen der Datenbank gilt',
  'signed in': 'hat sich angemeldet',
  'confirmed who they are': 'hat die eigene Identität bestätigt',
  'changed their password': 'hat das eigene Passwort geändert',
  'used a recovery code': 'hat einen Wiederherstellungscode benutzt',
  'stopped viewing the panel as {target}': 'sieht das Panel nicht mehr als {target} an',
  'no longer views the panel as {target}': 'sieht das Panel nicht länger als {target} an',
  'removed the second factors of {target} by a command':
    'hat die zweiten Faktoren von {target} mit einem Befehl entfernt',
  'made a link to a new password of {target} by a command':
    'hat mit einem Befehl einen Link zu einem neuen Passwort von {target} erstellt',
  'undid a change of their e-mail address':
    'hat eine Änderung der eigenen E-Mail-Adresse rückgängig gemacht',
  'changed their panel preferences': 'hat die eigenen Panel-Einstellungen geändert',
  'changed their name, language or time zone':
    'hat den eigenen Namen, die Sprache oder die Zeitzone geändert',
  'signed out everywhere else': 'hat sich überall sonst abgemeldet',
  'signed out a device': 'hat ein Gerät abgemeldet',
  'signed out': 'hat sich abgemeldet',
  'requested a change of their e-mail address':
    'hat eine Änderung der eigenen E-Mail-Adresse angefordert',
  'sent {target} a link to choose a password':
    'hat {target} einen Link zum Wählen eines Passworts gesendet',
  'set up an authenticator': 'hat eine Authenticator-App eingerichtet',
  'started adding a passkey': 'hat begonnen, einen Passkey hinzuzufügen',
  'added a passkey': 'hat einen Passkey hinzugefügt',
  'removed a passkey': 'hat einen Passkey entfernt',
  'removed their authenticator': 'hat die eigene Authenticator-App entfernt',
  'created new recovery codes': 'hat neue Wiederherstellungscodes erstellt',
  'started setting up an authenticator': 'hat begonnen, eine Authenticator-App einzurichten',
  'created the API token {target}': 'hat das API-Token {target} erstellt',
  'revoked the API token {target}': 'hat das API-Token {target} widerrufen',
  'changed the security settings': 'hat die Sicherheitseinstellungen geändert',
  'started viewing the panel as {target}': 'sieht das Panel jetzt als {target} an',
  'removed the second factors of {target}': 'hat die zweiten Faktoren von {target} entfernt',
  'signed {target} out everywhere': 'hat {target} überall abgemeldet',
  'became the super administrator': 'ist jetzt Super-Administrator',
  'changed the permissions of {target}': 'hat die Berechtigungen von {target} geändert',
  'invited the administrator {target}': 'hat den Administrator {target} eingeladen',
  'removed the administrator {target}': 'hat den Administrator {target} entfernt',
  'started a transfer of the super administrator role':
    'hat eine Übertragung der Rolle des Super-Administrators begonnen',
  'returned to the default look of the panel':
    'hat das Erscheinungsbild des Panels auf den Standard zurückgesetzt',
  'restored an earlier look of the panel':
    'hat ein früheres Erscheinungsbild des Panels wiederhergestellt',
  'changed the look of the panel': 'hat das Erscheinungsbild des Panels geändert',
  'uploaded an image for the look of the panel':
    'hat ein Bild für das Erscheinungsbild des Panels hochgeladen',
  'changed a mail template': 'hat eine E-Mail-Vorlage geändert',
  'changed the mail settings': 'hat die E-Mail-Einstellungen geändert',
  'reset a mail template': 'hat eine E-Mail-Vorlage zurückgesetzt',
  'resent a failed mail': 'hat eine fehlgeschlagene E-Mail erneut gesendet',
  'sent themselves a sample mail': 'hat sich eine Beispiel-E-Mail gesendet',
  'sent themselves a test mail': 'hat sich eine Test-E-Mail gesendet',
  'added the notification channel {target}': 'hat den Benachrichtigungskanal {target} hinzugefügt',
  'changed a notification channel': 'hat einen Benachrichtigungskanal geändert',
  'sent the confirmation of a notification channel again':
    'hat die Bestätigung eines Benachrichtigungskanals erneut gesendet',
  'removed a notification channel': 'hat einen Benachrichtigungskanal entfernt',
  'sent a message of a notification channel again':
    'hat eine Nachricht eines Benachrichtigungskanals erneut gesendet',
  'gave a notification channel a new secret':
    'hat einem Benachrichtigungskanal ein neues Geheimnis gegeben',
  'sent themselves a test message': 'hat sich eine Testnachricht gesendet',
  'turned off the plugin {target}, which failed too often':
    'hat das Plugin {target} abgeschaltet, das zu oft fehlgeschlagen ist',
  'saved the settings of the plugin {target}':
    'hat die Einstellungen des Plugins {target} gespeichert',
  'changed the plugin {target}': 'hat das Plugin {target} geändert',
  'turned on the plugin {target}': 'hat das Plugin {target} eingeschaltet',
  'turned off the plugin {target}': 'hat das Plugin {target} abgeschaltet',
  'installed the plugin {target}': 'hat das Plugin {target} installiert',
  'returned to the previous version of the plugin {target}':
    'hat die vorige Version des Plugins {target} wiederhergestellt',
  'uninstalled the plugin {target}': 'hat das Plugin {target} deinstalliert',
  'updated the plugin {target}': 'hat das Plugin {target} aktualisiert',
  'created the template {target}': 'hat die Vorlage {target} erstellt',
  'changed the template {target}': 'hat die Vorlage {target} geändert',
  'imported the template {target}': 'hat die Vorlage {target} importiert',
  'changed who may use the template {target}':
    'hat geändert, wer die Vorlage {target} benutzen darf',
  'deleted the template {target}': 'hat die Vorlage {target} gelöscht',
  'tried the template {target}': 'hat die Vorlage {target} ausprobiert',
  'archived the plan {target}': 'hat den Tarif {target} archiviert',
  'created the plan {target}': 'hat den Tarif {target} erstellt',
  'copied the plan {target}': 'hat den Tarif {target} kopiert',
  'changed the plan {target}': 'hat den Tarif {target} geändert',
  'deleted the plan {target}': 'hat den Tarif {target} gelöscht',
  'changed the order of plans': 'hat die Reihenfolge der Tarife geändert',
  'changed the prices of the plan {target}': 'hat die Preise des Tarifs {target} geändert',
  'restored the plan {target}': 'hat den Tarif {target} wiederhergestellt',
  'went beyond a limit of {target}': 'hat ein Limit von {target} überschritten',
  'changed the limits of every customer': 'hat die Limits aller Kunden geändert',
  'changed the limit settings': 'hat die Einstellungen der Limits geändert',
  'cordoned the node {target}': 'hat den Node {target} für neue Server gesperrt',
  'uncordoned the node {target}': 'hat den Node {target} für neue Server freigegeben',
  'added the node {target}': 'hat den Node {target} hinzugefügt',
  'created a join command for the node {target}':
    'hat einen Beitrittsbefehl für den Node {target} erstellt',
  'changed the node {target}': 'hat den Node {target} geändert',
  'removed unused images of the node {target}': 'hat unbenutzte Images des Nodes {target} entfernt',
  'removed the node {target}': 'hat den Node {target} entfernt',
  'had the node {target} checked again': 'hat den Node {target} erneut prüfen lassen',
  'updated the agents of nodes': 'hat die Agents von Nodes aktualisiert',
  'updated the agent of the node {target}': 'hat den Agent des Nodes {target} aktualisiert',
  'began to move all servers away from the node {target}':
    'hat begonnen, den Node {target} zu räumen',
  'asked the fence command about the node {target}':
    'hat den Fence-Befehl nach dem Node {target} gefragt',
  'planned a failover': 'hat ein Failover geplant',
  'declared a node dead': 'hat einen Node für tot erklärt',
  'had {target} take an older copy of its files':
    'hat {target} eine ältere Kopie seiner Dateien nehmen lassen',
  'forgot a copy of a server on {target}': 'hat eine Kopie eines Servers auf {target} vergessen',
  'made leases longer for a while': 'hat Leases für eine Weile verlängert',
  'ended the longer leases': 'hat die längeren Leases beendet',
  'chose the failover mode of the node {target}':
    'hat den Failover-Modus des Nodes {target} gewählt',
  'chose the failover mode of {target}': 'hat den Failover-Modus von {target} gewählt',
  'added the medium {target}': 'hat das Medium {target} hinzugefügt',
  'added the network {target}': 'hat das Netzwerk {target} hinzugefügt',
  'added the hardware profile {target}': 'hat das Hardwareprofil {target} hinzugefügt',
  'changed virtualization on the node {target}':
    'hat die Virtualisierung auf dem Node {target} geändert',
  'changed the medium {target}': 'hat das Medium {target} geändert',
  'changed the network {target}': 'hat das Netzwerk {target} geändert',
  'changed the hardware profile {target}': 'hat das Hardwareprofil {target} geändert',
  'reset the image list': 'hat die Image-Liste zurückgesetzt',
  'removed the medium {target}': 'hat das Medium {target} entfernt',
  'removed the network {target}': 'hat das Netzwerk {target} entfernt',
  'removed the hardware profile {target}': 'hat das Hardwareprofil {target} entfernt',
  'changed the image list': 'hat die Image-Liste geändert',
  'started uploading a medium': 'hat begonnen, ein Medium hochzuladen',
}
