import { declare } from './declare.ts'

/** Recipes of container servers. */
export const templates = declare({
  permissions: {
    'templates.view': 'See templates with their commands',
    'templates.manage': 'Create, change and import templates',
  },
  presets: {
    operator: ['templates.view', 'templates.manage'],
  },
  problems: {
    invalid_template: { status: 400, title: 'The template document is not valid' },
  },
})
