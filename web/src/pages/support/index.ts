import { createRoute } from '@tanstack/react-router'
import LifeBuoy from 'lucide-react/icons/life-buoy'
import { definePages } from '../../panel/define-pages.ts'
import { page } from '../../panel/page.ts'
import { paths } from '../../paths.ts'
import { inside, root } from '../../routes/frames.ts'
import { articlesSearch } from './articles-search.ts'
import { helpSearch } from './help-search.ts'
import { names } from './names.ts'

const help = createRoute({
  getParentRoute: () => root,
  path: paths.helpCenter,
  validateSearch: helpSearch,
  component: page(() => import('./help/help-page.tsx')),
})
const helpArticle = createRoute({
  getParentRoute: () => root,
  path: paths.helpArticle,
  validateSearch: helpSearch,
  component: page(() => import('./help/article-page.tsx')),
})
const articles = createRoute({
  getParentRoute: () => inside,
  path: paths.articles,
  validateSearch: articlesSearch,
  component: page(() => import('./articles/articles-page.tsx')),
})
const newArticle = createRoute({
  getParentRoute: () => inside,
  path: paths.newArticle,
  component: page(() => import('./articles/new-article-page.tsx')),
})
const article = createRoute({
  getParentRoute: () => inside,
  path: paths.article,
  validateSearch: helpSearch,
  component: page(() => import('./articles/edit-article-page.tsx')),
})

/** The help center, and the articles that staff write for it. */
export default definePages({
  routes: {
    outside: [help, helpArticle],
    inside: [articles, newArticle, article],
  },
  navigation: () => [
    {
      to: paths.articles,
      label: names.articles,
      icon: LifeBuoy,
      group: 'people',
      needs: 'articles.manage',
      help: 'help-center',
    },
    {
      to: paths.helpCenter,
      label: names.help,
      icon: LifeBuoy,
      group: 'people',
      forCustomers: 'only',
    },
  ],
  actions: () => [
    { to: paths.newArticle, group: 'create', label: names.newArticle, needs: 'articles.manage' },
  ],
})
