import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  over: '{stayed, select, true {Nicht alle Server von {node} sind umgezogen} other {{node} ist geräumt}}',
  results:
    '{moved, plural, =0 {Kein Server ist} one {Ein Server ist} other {# Server sind}} umgezogen{stayed, plural, =0 {.} one {, einer ist geblieben. Die Seite der Räumung sagt, warum.} other {, # sind geblieben. Die Seite der Räumung sagt, warum.}}',
})
