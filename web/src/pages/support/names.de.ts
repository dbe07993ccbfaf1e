import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  help: 'Hilfe-Center',
  articles: 'Hilfeartikel',
  newArticle: 'Neuer Hilfeartikel',
})
