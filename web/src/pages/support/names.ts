import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const names = catalogue(
  {
    help: 'Help center',
    articles: 'Help articles',
    newArticle: 'New help article',
  },
  { de: () => import('./names.de.ts') },
)
