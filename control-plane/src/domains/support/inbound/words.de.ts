import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  unnamed: 'eine Datei ohne Namen',
  notTaken: 'Weggelassen: {names}',
  repeated: 'Nur einmal behalten, weil eine andere Datei gleich ist: {names}',
  noRoom: 'Weggelassen, weil das Konto keinen Platz für weitere Dateien hat: {names}',
})
