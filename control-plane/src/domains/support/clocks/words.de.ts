import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  near: '{goal, select, first {Erste Antwort} next {Nächste Antwort} other {Lösung}} für {ticket} ist bald fällig',
  late: '{goal, select, first {Erste Antwort} next {Nächste Antwort} other {Lösung}} für {ticket} ist überfällig',
})
