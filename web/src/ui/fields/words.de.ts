import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  meaning: '= {amount}',
  writeLike: 'Schreiben Sie es so: {example}',
  atMost: 'Darf höchstens {amount} sein',
  atLeast: 'Muss mindestens {amount} sein',
  sizeExample: '4 GiB oder 512 MiB',
  cpuExample: '150% oder 1,5 Kerne',
  cpuHelp: '100% ist ein Kern',
})
