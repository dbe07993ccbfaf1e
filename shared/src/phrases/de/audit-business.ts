import type { Phrases } from '../phrasebook.ts'

/** What the audit log says of suspensions, billing, sign-ups, support and the status page. */
export const auditBusiness: Phrases = {
  'began to import customers, plans and subscriptions from {target}':
    'hat begonnen, Kunden, Tarife und Abonnements aus {target} zu importieren',
  'ended the suspension of {target}, whose time was over':
    'hat die Sperre von {target} beendet, deren Zeit abgelaufen war',
  'changed the suspension of {target}': 'hat die Sperre von {target} geändert',
  'changed the settings of suspensions': 'hat die Einstellungen der Sperren geändert',
  'wrote a note about the suspension of {target}':
    'hat eine Notiz zur Sperre von {target} geschrieben',
  'suspended the customer {target}': 'hat den Kunden {target} gesperrt',
  'answered the appeal of {target}': 'hat den Einspruch von {target} beantwortet',
  'appealed their suspension': 'hat Einspruch gegen die eigene Sperre eingelegt',
  'replied in their appeal': 'hat im eigenen Einspruch geantwortet',
  'withdrew their appeal': 'hat den eigenen Einspruch zurückgezogen',
  'gave up a purchase': 'hat einen Kauf abgebrochen',
  'had an invoice charged': 'ließ eine Rechnung abbuchen',
  'asked to pay all open invoices': 'wollte alle offenen Rechnungen bezahlen',
  'bought a plan': 'hat einen Tarif gekauft',
  'cancelled a subscription': 'hat ein Abonnement gekündigt',
  'changed the plan of a subscription': 'hat den Tarif eines Abonnements gewechselt',
  'took back what they paid for a server': 'hat zurückgenommen, was für einen Server bezahlt wurde',
  'resumed a subscription': 'hat ein Abonnement fortgesetzt',
  'changed how their renewals are paid':
    'hat geändert, wie die eigenen Verlängerungen bezahlt werden',
  'removed their saved payment method': 'hat das eigene gespeicherte Zahlungsmittel entfernt',
  'changed their address on invoices': 'hat die eigene Rechnungsadresse geändert',
  'changed the settings of billing': 'hat die Einstellungen der Abrechnung geändert',
  'changed a subscription': 'hat ein Abonnement geändert',
  'ended a subscription': 'hat ein Abonnement beendet',
  'gave a customer a plan': 'hat einem Kunden einen Tarif gegeben',
  'gave free time to a subscription': 'hat einem Abonnement freie Zeit geschenkt',
  'suspended a subscription': 'hat ein Abonnement gesperrt',
  'lifted the suspension of a subscription': 'hat die Sperre eines Abonnements aufgehoben',
  'recorded a payment': 'hat eine Zahlung erfasst',
  'replayed an event of a payment provider':
    'hat ein Ereignis eines Zahlungsanbieters erneut verarbeitet',
  'voided an invoice': 'hat eine Rechnung storniert',
  'refunded an invoice': 'hat eine Rechnung erstattet',
  'refunded and ended a subscription': 'hat ein Abonnement erstattet und beendet',
  'approved the account {target}': 'hat das Konto {target} freigeschaltet',
  'created an invitation': 'hat eine Einladung erstellt',
  'changed the sign-up settings': 'hat die Einstellungen der Registrierung geändert',
  'confirmed the address of {target}': 'hat die Adresse von {target} bestätigt',
  'declined the account {target}': 'hat das Konto {target} abgelehnt',
  'resent the confirmation to {target}': 'hat die Bestätigung erneut an {target} gesendet',
  'revoked an invitation': 'hat eine Einladung widerrufen',
  'deleted a help article': 'hat einen Hilfeartikel gelöscht',
  'wrote a help article': 'hat einen Hilfeartikel geschrieben',
  'opened a support ticket': 'hat ein Support-Ticket eröffnet',
  'opened the ticket {target} again': 'hat das Ticket {target} wieder geöffnet',
  'changed a message in the ticket {target}': 'hat eine Nachricht im Ticket {target} geändert',
  'changed several tickets': 'hat mehrere Tickets geändert',
  'deleted the ticket {target}': 'hat das Ticket {target} gelöscht',
  'changed the ticket {target}': 'hat das Ticket {target} geändert',
  'rated the ticket {target}': 'hat das Ticket {target} bewertet',
  'split the ticket {target}': 'hat das Ticket {target} geteilt',
  'wrote in the ticket {target}': 'hat im Ticket {target} geschrieben',
  'changed the settings of the support desk': 'hat die Einstellungen des Support-Desks geändert',
  'created the category {target}': 'hat die Kategorie {target} erstellt',
  'created the group of agents {target}': 'hat die Bearbeitergruppe {target} erstellt',
  'changed the category {target}': 'hat die Kategorie {target} geändert',
  'changed the group of agents {target}': 'hat die Bearbeitergruppe {target} geändert',
  'changed the business hours of the support desk':
    'hat die Geschäftszeiten des Support-Desks geändert',
  'changed a tier of the support desk': 'hat eine Stufe des Support-Desks geändert',
  'deleted a tier of the support desk': 'hat eine Stufe des Support-Desks gelöscht',
  'changed the rule {target} of the support desk':
    'hat die Regel {target} des Support-Desks geändert',
  'created a rule of the support desk': 'hat eine Regel des Support-Desks erstellt',
  'deleted the rule {target} of the support desk':
    'hat die Regel {target} des Support-Desks gelöscht',
  'deleted the macro {target} of the support desk':
    'hat das Makro {target} des Support-Desks gelöscht',
  'wrote a macro of the support desk': 'hat ein Makro des Support-Desks geschrieben',
  'threw away a held mail of {target}': 'hat eine zurückgehaltene E-Mail von {target} verworfen',
  'changed the settings of incoming mail': 'hat die Einstellungen eingehender E-Mails geändert',
  'let in a held mail of {target}': 'hat eine zurückgehaltene E-Mail von {target} zugelassen',
  'made a new secret for incoming mail': 'hat ein neues Geheimnis für eingehende E-Mails erstellt',
  'changed the settings of reports of abuse':
    'hat die Einstellungen der Missbrauchsmeldungen geändert',
  'changed the settings of the status page': 'hat die Einstellungen der Statusseite geändert',
  'added the component {target} to the status page':
    'hat der Statusseite die Komponente {target} hinzugefügt',
  'removed the component {target} from the status page':
    'hat die Komponente {target} von der Statusseite entfernt',
  'changed the component {target} of the status page':
    'hat die Komponente {target} der Statusseite geändert',
  'changed the order of the status page': 'hat die Reihenfolge der Statusseite geändert',
  'wrote an incident or maintenance for the status page':
    'hat eine Störung oder Wartung für die Statusseite verfasst',
  'deleted an incident or maintenance from the status page':
    'hat eine Störung oder Wartung von der Statusseite gelöscht',
  'changed an incident or maintenance of the status page':
    'hat eine Störung oder Wartung der Statusseite geändert',
  'posted an update on the status page': 'hat eine Meldung auf der Statusseite veröffentlicht',
  'published an incident or maintenance on the status page':
    'hat eine Störung oder Wartung auf der Statusseite veröffentlicht',
  'corrected an update on the status page': 'hat eine Meldung auf der Statusseite berichtigt',
  'changed where reports of usage go': 'hat das Ziel der Nutzungsberichte geändert',
  'began to connect reports of usage': 'hat begonnen, Nutzungsberichte zu verbinden',
  'decided on reports of usage': 'hat über Nutzungsberichte entschieden',
}
