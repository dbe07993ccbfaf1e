import { createRoute } from '@tanstack/react-router'
import KeyRound from 'lucide-react/icons/key-round'
import { definePages } from '../../panel/define-pages.ts'
import { page } from '../../panel/page.ts'
import { paths } from '../../paths.ts'
import { inside } from '../../routes/frames.ts'
import { names } from './names.ts'
import { tokensSearch } from './tokens-search.ts'

const tokens = createRoute({
  getParentRoute: () => inside,
  path: paths.tokens,
  validateSearch: tokensSearch,
  component: page(() => import('./tokens-page.tsx')),
})

export default definePages({
  routes: {
    inside: [tokens],
  },
  navigation: () => [
    {
      to: paths.tokens,
      label: names.tokens,
      icon: KeyRound,
      group: 'people',
      needs: 'tokens.manage',
      help: 'api',
    },
  ],
  actions: () => [
    {
      to: paths.tokens,
      group: 'create',
      label: names.newToken,
      keywords: names.newTokenKeywords,
      needs: 'tokens.manage',
    },
  ],
})
