import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  unnamed: 'eine Datei ohne Namen',
  notTaken: 'Weggelassen: {names}',
  noRoom: 'Weggelassen, weil das Konto keinen Platz für weitere Dateien hat: {names}',
})
