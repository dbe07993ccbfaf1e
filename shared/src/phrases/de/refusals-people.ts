import type { Phrases } from '../phrasebook.ts'

/** What refusals about accounts, money, messages and the support desk say. */
export const refusalsAboutPeople: Phrases = {
  'The sign-in took too long: start again with the password':
    'Die Anmeldung hat zu lange gedauert: Beginnen Sie noch einmal mit dem Passwort',
  'Wrong e-mail address, password or second factor, or too many wrong codes: check all three':
    'E-Mail-Adresse, Passwort oder zweiter Faktor ist falsch, oder es gab zu viele falsche Codes: Prüfen Sie alle drei',
  'Not accepted: try the next code, another method or a recovery code. If you have lost them all, ask support to remove your second factors':
    'Nicht angenommen: Versuchen Sie den nächsten Code, eine andere Methode oder einen Wiederherstellungscode. Wenn Sie alle verloren haben, bitten Sie den Support, Ihre zweiten Faktoren zu entfernen',
  'Too many wrong codes: this step is locked for {a} minutes':
    'Zu viele falsche Codes: Dieser Schritt ist für {a} Minuten gesperrt',
  'Administrators need a second factor: set up another before you remove this one':
    'Administratoren brauchen einen zweiten Faktor: Richten Sie einen anderen ein, bevor Sie diesen entfernen',
  'Set up an authenticator or a passkey first':
    'Richten Sie zuerst eine Authenticator-App oder einen Passkey ein',
  'Passkeys work only in a browser at the panel’s own address':
    'Passkeys funktionieren nur in einem Browser unter der eigenen Adresse des Panels',
  'This passkey is already registered': 'Dieser Passkey ist schon registriert',
  'The account has no passkey: use a code or the password':
    'Das Konto hat keinen Passkey: Verwenden Sie einen Code oder das Passwort',
  'The account already has an authenticator: remove it before you set up another':
    'Das Konto hat schon eine Authenticator-App: Entfernen Sie sie, bevor Sie eine andere einrichten',
  'Start the set-up of the authenticator first':
    'Beginnen Sie zuerst mit der Einrichtung der Authenticator-App',
  'Wrong code: check the clock of your device, then try the next code':
    'Falscher Code: Prüfen Sie die Uhr Ihres Geräts, und versuchen Sie dann den nächsten Code',
  'This link no longer works, because it was used or has expired: request a new one':
    'Dieser Link ist nicht mehr gültig, er wurde schon benutzt oder ist abgelaufen: Fordern Sie einen neuen an',
  'Another account uses this address by now':
    'Diese Adresse gehört inzwischen zu einem anderen Konto',
  'This account is not open yet: confirm its address or approve it first':
    'Dieses Konto ist noch nicht freigeschaltet: Bestätigen Sie zuerst seine Adresse, oder schalten Sie es frei',
  'Wrong e-mail address or recovery code: check both. Each code works once':
    'E-Mail-Adresse oder Wiederherstellungscode ist falsch: Prüfen Sie beides. Jeder Code gilt einmal',
  'This would shut you out: you come from {a}, so name that address too':
    'Damit würden Sie sich aussperren: Sie kommen von {a}, nennen Sie also auch diese Adresse',
  'Wrong password': 'Falsches Passwort',
  'Set up a second factor first': 'Richten Sie zuerst einen zweiten Faktor ein',
  'An account with this e-mail address already exists':
    'Ein Konto mit dieser E-Mail-Adresse gibt es schon',
  'This installation is already set up: sign in instead':
    'Diese Installation ist schon eingerichtet: Melden Sie sich an',
  'Check both, or reset your password': 'Prüfen Sie beides, oder setzen Sie Ihr Passwort zurück',
  'The account has a second factor. {a}': 'Das Konto hat einen zweiten Faktor. {a}',
  'Too many wrong passwords were tried for this account. Confirm with an authenticator, a recovery code or a passkey, sign in with a browser that you used before, or try again in {a}':
    'Für dieses Konto wurden zu viele falsche Passwörter versucht. Bestätigen Sie mit Authenticator-App, Wiederherstellungscode oder Passkey, melden Sie sich mit einem schon benutzten Browser an, oder versuchen Sie es in {a} erneut',
  'Confirm the e-mail address first: follow the link in the mail, or have it sent again':
    'Bestätigen Sie zuerst die E-Mail-Adresse: Folgen Sie dem Link in der E-Mail, oder lassen Sie sie noch einmal senden',
  'The host has to approve the account before it opens':
    'Der Anbieter muss das Konto erst freischalten',
  'Send code: the account has a second factor':
    'Senden Sie code: Das Konto hat einen zweiten Faktor',
  'The scope {a} needs the permission {b}': 'Der Bereich {a} braucht die Berechtigung {b}',
  'The account {a} is not open yet: there is nothing to view':
    'Das Konto {a} ist noch nicht freigeschaltet: Es gibt nichts anzusehen',
  'Sign in to do this': 'Melden Sie sich dafür an',
  'The subscription is not cancelled': 'Das Abonnement ist nicht gekündigt',
  'The price may have changed since: look at the change once more':
    'Der Preis kann sich geändert haben: Sehen Sie sich die Änderung noch einmal an',
  'It costs something else by now: look at the price once more':
    'Der Preis hat sich inzwischen geändert: Sehen Sie ihn sich noch einmal an',
  'The tax can’t be calculated right now. Nothing was bought or charged: try again in a few minutes':
    'Die Steuer lässt sich gerade nicht berechnen. Nichts wurde gekauft oder abgebucht: Versuchen Sie es in einigen Minuten noch einmal',
  'The tax depends on where you are: enter the country of your billing address first':
    'Die Steuer hängt davon ab, wo Sie sind: Geben Sie zuerst das Land Ihrer Rechnungsadresse an',
  'No tax can be calculated for your billing address: correct its country, postal code or region':
    'Für Ihre Rechnungsadresse lässt sich keine Steuer berechnen: Korrigieren Sie Land, Postleitzahl oder Region',
  'Your tax number is not accepted: correct it, or leave it out':
    'Ihre Steuernummer wird nicht angenommen: Korrigieren Sie sie, oder lassen Sie sie weg',
  'This plan is not for sale now: choose another':
    'Dieser Tarif wird zurzeit nicht verkauft: Wählen Sie einen anderen',
  'You have {a} of {b}, as many as one customer may have':
    'Sie haben „{b}“ schon {a}-mal, mehr darf ein Kunde nicht haben',
  '{a} is sold out: choose another plan': '{a} ist ausverkauft: Wählen Sie einen anderen Tarif',
  'The node of your server has no room for this size now: choose a smaller plan, or ask your host to move it':
    'Der Node Ihres Servers hat zurzeit keinen Platz für diese Größe: Wählen Sie einen kleineren Tarif, oder bitten Sie Ihren Anbieter um einen Umzug',
  'The subscription ended: buy the plan again instead':
    'Das Abonnement ist beendet: Kaufen Sie den Tarif neu',
  'This is not possible while the subscription is {a}':
    'Das ist nicht möglich, solange das Abonnement im Zustand {a} ist',
  'It is suspended for another reason, which is lifted where it was set: its payment, or its account':
    'Es ist aus einem anderen Grund gesperrt, der dort endet, wo er gesetzt wurde: bei seiner Zahlung oder seinem Konto',
  'It costs nothing and does not end: it needs no free time':
    'Es kostet nichts und endet nicht: Es braucht keine freie Zeit',
  'This account is suspended or not open: change that first':
    'Dieses Konto ist gesperrt oder nicht freigeschaltet: Ändern Sie zuerst das',
  'This plan is archived: restore it first, or choose another':
    'Dieser Tarif ist archiviert: Stellen Sie ihn zuerst wieder her, oder wählen Sie einen anderen',
  'This server belongs to a subscription that goes on: change its plan instead':
    'Dieser Server gehört zu einem laufenden Abonnement: Wechseln Sie stattdessen dessen Tarif',
  'Its files may not fit on the disk of this plan: choose a plan with a larger one':
    'Seine Dateien passen möglicherweise nicht auf den Datenträger dieses Tarifs: Wählen Sie einen Tarif mit einem größeren',
  'A payment of its former subscription is disputed: wait until that is decided':
    'Eine Zahlung für das frühere Abonnement wird angefochten: Warten Sie, bis darüber entschieden ist',
  'The deletion of this server has begun: create a new one instead':
    'Das Löschen dieses Servers hat begonnen: Erstellen Sie stattdessen einen neuen',
  'The node of this server has no room for this plan: move the server first, or choose a smaller plan':
    'Der Node dieses Servers hat keinen Platz für diesen Tarif: Ziehen Sie den Server zuerst um, oder wählen Sie einen kleineren Tarif',
  'The host deletes this server: ask them to keep it':
    'Der Anbieter löscht diesen Server: Bitten Sie ihn, ihn zu behalten',
  'This invoice is not open: nothing is left to pay':
    'Diese Rechnung ist nicht offen: Es ist nichts zu zahlen',
  'None of your invoices is open: nothing is left to pay':
    'Keine Ihrer Rechnungen ist offen: Es ist nichts zu zahlen',
  'This way to pay is not available: choose another':
    'Diese Zahlungsart ist nicht verfügbar: Wählen Sie eine andere',
  'The money for this invoice is on its way: wait until it has arrived, so that you do not pay twice':
    'Das Geld für diese Rechnung ist unterwegs: Warten Sie, bis es angekommen ist, damit Sie nicht doppelt zahlen',
  'This invoice is being charged now: wait until that is over, so that you do not pay twice':
    'Diese Rechnung wird gerade abgebucht: Warten Sie das ab, damit Sie nicht doppelt zahlen',
  'This way to pay saves a payment method only with a payment: choose another':
    'Diese Zahlungsart speichert ein Zahlungsmittel nur mit einer Zahlung: Wählen Sie eine andere',
  'Only what was paid for a server that could not be made within a day can be taken back: cancel instead':
    'Nur was für einen Server bezahlt wurde, der binnen eines Tages nicht erstellt werden konnte, lässt sich zurücknehmen: Kündigen Sie stattdessen',
  'This way to pay charges nothing by itself: choose another':
    'Diese Zahlungsart bucht nichts von selbst ab: Wählen Sie eine andere',
  'No payment method is saved there yet: add one, or save it when you next pay an invoice':
    'Dort ist noch kein Zahlungsmittel gespeichert: Fügen Sie eines hinzu, oder speichern Sie es bei Ihrer nächsten Zahlung',
  'The webhook was not accepted': 'Der Webhook wurde nicht angenommen',
  'Its server did not fail: refund its invoices and end it instead':
    'Sein Server ist nicht fehlgeschlagen: Erstatten Sie seine Rechnungen, und beenden Sie es',
  'A change of plan that is not paid yet counts on this money: void invoice {a} first':
    'Ein Tarifwechsel, der noch nicht bezahlt ist, rechnet mit diesem Geld: Stornieren Sie zuerst die Rechnung {a}',
  'Only a paid invoice can be refunded: void it instead':
    'Nur eine bezahlte Rechnung kann erstattet werden: Stornieren Sie sie',
  'Its way to pay is turned off: turn it on, or return the money yourself and record that':
    'Die Zahlungsart dieser Rechnung ist abgeschaltet: Schalten Sie sie ein, oder zahlen Sie selbst zurück, und tragen Sie das ein',
  'The customer is gone: return the money another way':
    'Den Kunden gibt es nicht mehr: Zahlen Sie auf einem anderen Weg zurück',
  'At most {a} {b} can be refunded like this': 'So können höchstens {a} {b} erstattet werden',
  'Only an open invoice can be voided': 'Nur eine offene Rechnung kann storniert werden',
  'Setting limits needs the permission customers.quota':
    'Zum Setzen von Limits ist die Berechtigung customers.quota nötig',
  '{a} still owns {b}: delete them first': 'Zu {a} gehören noch {b}: Löschen Sie diese zuerst',
  'An account with this e-mail address already exists: use another address':
    'Ein Konto mit dieser E-Mail-Adresse gibt es schon: Verwenden Sie eine andere Adresse',
  'Too many sign-ins at once: try again in a moment':
    'Zu viele Anmeldungen auf einmal: Versuchen Sie es gleich noch einmal',
  'The link in this mail no longer works: send a new one':
    'Der Link in dieser E-Mail gilt nicht mehr: Senden Sie einen neuen',
  'Only a failed message can be sent again':
    'Nur eine fehlgeschlagene Nachricht kann noch einmal gesendet werden',
  'Mails about account security cannot be turned off':
    'E-Mails zur Sicherheit des Kontos lassen sich nicht abschalten',
  'A plan that allows creating servers is required: choose one or ask the host':
    'Dafür brauchen Sie einen Tarif, mit dem Sie Server erstellen können: Wählen Sie einen, oder fragen Sie Ihren Anbieter',
  'Exceeding limits needs the permission servers.force_limits':
    'Zum Überschreiten von Limits ist die Berechtigung servers.force_limits nötig',
  'Only a webhook signs its messages with a secret':
    'Nur ein Webhook signiert seine Nachrichten mit einem Geheimnis',
  'The address of this channel needs no confirmation':
    'Die Adresse dieses Kanals braucht keine Bestätigung',
  'The channel is not active: switch it on first':
    'Der Kanal ist nicht aktiv: Schalten Sie ihn zuerst ein',
  'Only a message that was sent or has failed can be sent again':
    'Nur eine gesendete oder fehlgeschlagene Nachricht kann noch einmal gesendet werden',
  'This link no longer works, because it was used or has expired: send a new one from the list of notification channels':
    'Dieser Link ist nicht mehr gültig, er wurde schon benutzt oder ist abgelaufen: Senden Sie in der Liste der Kanäle einen neuen',
  '{a} has {b} copies: rename some of them': '{a} hat {b} Kopien: Benennen Sie einige davon um',
  'Subscriptions or invitations name this plan: archive it instead, so that nobody new gets it':
    'Abonnements oder Einladungen verwenden diesen Tarif: Archivieren Sie ihn, damit ihn niemand mehr neu bekommt',
  'The plan is archived already': 'Der Tarif ist schon archiviert',
  'The plan is not archived': 'Der Tarif ist nicht archiviert',
  'A plan named {a} already exists: choose another name':
    'Einen Tarif mit dem Namen {a} gibt es schon: Wählen Sie einen anderen Namen',
  'This account has this key already': 'Dieses Konto hat diesen Schlüssel schon',
  'Sign-up is closed: ask the host for an account':
    'Die Registrierung ist geschlossen: Bitten Sie den Anbieter um ein Konto',
  'Accept the terms to sign up': 'Stimmen Sie den Bedingungen zu, um sich zu registrieren',
  'Sign-up needs an invitation code': 'Die Registrierung braucht einen Einladungscode',
  'This invitation code does not work: it was used up or has expired, or has a typing error. If you have signed up with it already, have the confirmation mail sent again':
    'Dieser Einladungscode gilt nicht: Er ist aufgebraucht oder abgelaufen oder hat einen Tippfehler. Falls Sie sich schon mit ihm registriert haben, lassen Sie sich die Bestätigung noch einmal senden',
  'The address of the account is already confirmed': 'Die Adresse des Kontos ist schon bestätigt',
  'Only an account that is waiting for approval can be approved':
    'Nur ein Konto, das auf Freischaltung wartet, kann freigeschaltet werden',
  'Only a pending account can be rejected': 'Nur ein ausstehendes Konto kann abgelehnt werden',
  'Somebody else has changed the article: load it again and make your changes in the new text':
    'Jemand anders hat den Artikel geändert: Laden Sie ihn neu und ändern Sie den neuen Text',
  'The article has been deleted: save it as a new one':
    'Der Artikel wurde gelöscht: Speichern Sie ihn als neuen',
  'There is another {a} of this name: choose another name':
    'Dieser Name ist schon vergeben ({a}): Wählen Sie einen anderen',
  'This tier is the default: make another one the default first':
    'Diese Stufe ist voreingestellt: Stellen Sie zuerst eine andere ein',
  'You have continued this draft elsewhere: load it again':
    'Sie haben diesen Entwurf anderswo fortgesetzt: Laden Sie ihn neu',
  'Sign the message with the present secret of the bridge, and check its clock':
    'Signieren Sie die Nachricht mit dem jetzigen Geheimnis der Brücke, und prüfen Sie deren Uhr',
  'Send the mail as JSON': 'Senden Sie die E-Mail als JSON',
  'The mail cannot be read. {a}': 'Die E-Mail kann nicht gelesen werden. {a}',
  'Only who wrote a message can change it': 'Nur wer eine Nachricht schrieb, kann sie ändern',
  'A message can be changed for {a} minutes: write another one':
    'Eine Nachricht kann {a} Minuten lang geändert werden: Schreiben Sie eine neue',
  'Somebody else has changed the ticket meanwhile: load it again and repeat your change':
    'Jemand anders hat das Ticket inzwischen geändert: Laden Sie es neu und wiederholen Sie Ihre Änderung',
  'Only who opened the ticket can change it': 'Nur wer das Ticket eröffnet hat, kann es ändern',
  'Only the support changes this: write what you need':
    'Das ändert nur der Support: Schreiben Sie, was Sie brauchen',
  'No mail server is set: mail is kept in the outbox to be read':
    'Kein Mailserver ist eingestellt: E-Mails bleiben im Postausgang und können dort gelesen werden',
  'The address of this channel is not confirmed yet: open the link in the mail that was sent to it':
    'Die Adresse dieses Kanals ist noch nicht bestätigt: Öffnen Sie den Link in der E-Mail, die an sie ging',
  'The check of the sender takes too long now. Send the mail again later':
    'Die Prüfung des Absenders dauert zurzeit zu lange. Senden Sie die E-Mail später noch einmal',
  'Too many mails are being checked now. Send it again later':
    'Zurzeit werden zu viele E-Mails geprüft. Senden Sie die E-Mail später noch einmal',
  'The subject can be changed while the ticket is new':
    'Der Betreff kann nur geändert werden, solange das Ticket neu ist',
  'You can mark the ticket as solved; a reply opens it again':
    'Sie können das Ticket als gelöst markieren; eine Antwort öffnet es wieder',
  'The ticket is solved already': 'Das Ticket ist schon gelöst',
  'The files of a message may take {a} MiB together: send some with another message':
    'Die Dateien einer Nachricht dürfen zusammen {a} MiB groß sein: Senden Sie einige mit einer anderen Nachricht',
  'The files of a ticket may take {a} MiB together: open another ticket for more':
    'Die Dateien eines Tickets dürfen zusammen {a} MiB groß sein: Eröffnen Sie für weitere ein anderes Ticket',
  'Files that were not sent may take {a} MiB together: send a message with some of them first':
    'Nicht gesendete Dateien dürfen zusammen {a} MiB groß sein: Senden Sie zuerst eine Nachricht mit einigen davon',
  '{a}: send a smaller file, or ask your host for a higher limit':
    '{a}: Senden Sie eine kleinere Datei, oder bitten Sie Ihren Anbieter um ein höheres Limit',
  'The file is still being scanned: try again soon':
    'Die Datei wird noch geprüft: Versuchen Sie es bald noch einmal',
  'The file {a} was refused: {b}': 'Die Datei {a} wurde abgelehnt: {b}',
  'The file took too long to arrive: send a smaller one':
    'Die Datei brauchte zu lange, um anzukommen: Senden Sie eine kleinere',
  'Too many files were sent with reports: send the report without files, and say where they are':
    'Mit Meldungen kamen zu viele Dateien: Senden Sie die Meldung ohne Dateien und schreiben Sie, wo sie liegen',
  'This browser is your channel {a} already': 'Dieser Browser ist schon Ihr Kanal {a}',
  'The domain of the sender could not be asked about the mail. Send it again later':
    'Die Domain des Absenders konnte nicht zur E-Mail befragt werden. Senden Sie die E-Mail später noch einmal',
  'The ticket was merged into another one: go on in that one':
    'Das Ticket wurde mit einem anderen zusammengeführt: Schreiben Sie dort weiter',
  'Only tickets of the same customer can be merged':
    'Nur Tickets desselben Kunden können zusammengeführt werden',
  'The other ticket is closed: open it again first':
    'Das andere Ticket ist geschlossen: Öffnen Sie es zuerst wieder',
  'This address takes only answers to mails of the support. Open a ticket in the panel instead':
    'Diese Adresse nimmt nur Antworten auf E-Mails des Supports an. Eröffnen Sie stattdessen im Panel ein Ticket',
  'This sender opened too many tickets. Answer one of them, or send the mail again later':
    'Dieser Absender hat zu viele Tickets eröffnet. Antworten Sie auf eines davon, oder senden Sie die E-Mail später noch einmal',
  'The support desk takes no new tickets at the moment':
    'Der Support nimmt zurzeit keine neuen Tickets an',
  'A ticket can be rated for {a} days after it was solved':
    'Ein Ticket kann nach der Lösung {a} Tage lang bewertet werden',
  'This needs the permission {a}; the super administrator can grant it':
    'Dafür ist die Berechtigung {a} nötig; der Super-Administrator kann sie erteilen',
  'Only who opened the ticket can open it again':
    'Nur wer das Ticket eröffnet hat, kann es wieder öffnen',
  'The ticket is open already': 'Das Ticket ist schon offen',
  'The ticket was closed too long ago: open another one':
    'Das Ticket wurde vor zu langer Zeit geschlossen: Eröffnen Sie ein neues',
  'Only the support writes notes and chooses the status':
    'Nur der Support schreibt Notizen und wählt den Status',
  'The ticket is closed: open it again to answer':
    'Das Ticket ist geschlossen: Öffnen Sie es wieder, um zu antworten',
  'An answer cannot make a ticket {a}':
    'Eine Antwort kann ein Ticket nicht in den Zustand {a} bringen',
  'The ticket is closed: open it again to give it to somebody':
    'Das Ticket ist geschlossen: Öffnen Sie es wieder, um es jemandem zu geben',
  'A ticket that is {a} does not become {b}':
    'Ein Ticket im Zustand {a} kommt nicht in den Zustand {b}',
  'The appeal is over: it was {a}': 'Über den Einspruch ist entschieden: {a}',
  'There is no open appeal to answer':
    'Es gibt keinen offenen Einspruch, den Sie beantworten könnten',
  'The account is not suspended': 'Das Konto ist nicht gesperrt',
  'There is no open appeal': 'Es gibt keinen offenen Einspruch',
  'This customer has no second factor': 'Dieser Kunde hat keinen zweiten Faktor',
  'This administrator has no second factor': 'Dieser Administrator hat keinen zweiten Faktor',
  'Nobody in the panel can do this for the super administrator: run `npm run reset-second-factor` on the machine of the control plane':
    'Nur ein Befehl auf dem Rechner der Control Plane entfernt die zweiten Faktoren des Super-Administrators',
  'Internal notes need the permission suspension.notes; the super administrator can grant it':
    'Für interne Notizen ist die Berechtigung suspension.notes nötig; der Super-Administrator kann sie erteilen',
  '{a} is already suspended: change the options of that suspension instead':
    '{a} ist schon gesperrt: Ändern Sie die Optionen dieser Sperre',
  'The account {a} is not open yet: reject it instead':
    'Das Konto {a} ist noch nicht freigeschaltet: Lehnen Sie es ab',
  'You cannot give or take {a}, because you do not have it':
    'Sie können {a} weder geben noch nehmen, weil Sie es selbst nicht haben',
  'There is no such administrator': 'Diesen Administrator gibt es nicht',
  'The super administrator has every permission and cannot be removed: transfer the role first':
    'Der Super-Administrator hat jede Berechtigung und kann nicht entfernt werden: Übertragen Sie zuerst die Rolle',
  'You cannot change or remove yourself: ask another administrator':
    'Sie können sich nicht selbst ändern oder entfernen: Bitten Sie einen anderen Administrator',
  'The administrator owns servers: transfer them to somebody else first':
    'Der Administrator besitzt Server: Übertragen Sie diese zuerst an jemand anderen',
  'Only the super administrator can transfer the role':
    'Nur der Super-Administrator kann die Rolle übertragen',
  'You are already the super administrator': 'Sie sind schon der Super-Administrator',
  'The other administrator has to set up a second factor first':
    'Der andere Administrator muss zuerst einen zweiten Faktor einrichten',
  'The account {a} is suspended: lift the suspension first':
    'Das Konto {a} ist gesperrt: Heben Sie die Sperre zuerst auf',
  'This location already has a component: change that one, or choose another location':
    'Dieser Standort hat schon eine Komponente: Ändern Sie diese, oder wählen Sie einen anderen Standort',
  'The state of this component is measured: open an incident to say that something is wrong':
    'Der Zustand dieser Komponente wird gemessen: Eröffnen Sie eine Störung, um ein Problem zu melden',
  'Only maintenance has planned times: post an update':
    'Nur eine Wartung hat geplante Zeiten: Veröffentlichen Sie eine Meldung',
  'Maintenance has no impact: open an incident beside it':
    'Eine Wartung hat keine Auswirkung: Eröffnen Sie daneben eine Störung',
  'This maintenance is over: plan another one': 'Diese Wartung ist vorbei: Planen Sie eine neue',
  'This maintenance has begun: only its end can change':
    'Diese Wartung hat begonnen: Nur ihr Ende kann sich ändern',
  'It is already on the status page': 'Die Wartung steht schon auf der Statusseite',
  'Its time has passed: change the times first':
    'Der geplante Zeitraum ist vorbei: Ändern Sie zuerst die Zeiten',
  'Publish the draft first, or delete it':
    'Veröffentlichen Sie zuerst den Entwurf, oder löschen Sie ihn',
  'This maintenance is over already': 'Diese Wartung ist schon vorbei',
  'This maintenance has not begun: cancel it instead':
    'Diese Wartung hat nicht begonnen: Sagen Sie sie ab',
  'This link does not lead to a report any more: send another report and name the reference of the first':
    'Dieser Link führt zu keiner Meldung mehr: Senden Sie eine neue und nennen Sie die Vorgangsnummer der ersten',
  'A report takes {a} additions: send another report and name the reference {b}':
    'Zu einer Meldung sind {a} Ergänzungen möglich: Senden Sie eine neue und nennen Sie die Vorgangsnummer {b}',
  'This link no longer works, because it was used or has expired: subscribe again on the status page':
    'Dieser Link ist nicht mehr gültig, er wurde schon benutzt oder ist abgelaufen: Abonnieren Sie die Statusseite neu',
  'This link is not complete: open it in the mail again, or copy all of it':
    'Dieser Link ist nicht vollständig: Öffnen Sie ihn noch einmal in der E-Mail, oder kopieren Sie ihn ganz',
}
