import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  opened: '{ticket} wurde eröffnet',
  customerReplied: 'Der Kunde hat in {ticket} geantwortet',
  assigned: 'Ihnen wurde {ticket} zugewiesen',
  fileInfected: 'Ein Scanner hat eine Datei von {ticket} abgelehnt',
  answered: 'Der Support hat {ticket} beantwortet',
  waiting: '{ticket} wartet auf Ihre Antwort',
  rating: 'Wie war der Support in {ticket}?',
})
