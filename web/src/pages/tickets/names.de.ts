import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  support: 'Support',
  newTicket: 'Neues Support-Ticket',
  newTicketKeywords: 'Hilfe Anfrage Frage Kontakt',
  desk: 'Tickets',
  reports: 'Support-Berichte',
  reportsKeywords: 'Tickets Zahlen Statistik Ziele Bewertungen Antwortzeit csv',
  deskSettings: 'Einstellungen des Support-Desks',
  deskSettingsKeywords:
    'Tickets Kategorien Gruppen Regeln Automatisierung Bearbeiter Bewertungen Öffnungszeiten Feiertage Kalender sla Stufen Ziele',
})
