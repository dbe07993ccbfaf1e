import { registriesOf } from '@lodge/shared/templates/registries.ts'
import { imageChoices } from '@lodge/shared/templates/resolve.ts'
import { inputKind } from '@lodge/shared/templates/rules/input-kind.ts'
import type { Db } from '../../db/database.ts'
import { allVisible } from './store.ts'

/**
 * Templates from which customers may create servers, without commands, environment and hidden
 * variables.
 */
export async function visibleTemplates(db: Db) {
  return (await allVisible(db)).map(
    ({ id, name, description, customerDescription, icon, featured, document }) => ({
      id,
      name,
      description: customerDescription ?? description,
      icon,
      featured,
      tags: document.tags,
      limits: {
        memoryMb: document.runtime.limits.memoryMb ?? null,
        cpuPercent: document.runtime.limits.cpuPercent ?? null,
        diskMb: document.runtime.limits.diskMb ?? null,
      },
      images: imageChoices(document).map((choice) => choice.name),
      registries: registriesOf(document),
      variables: document.variables
        .filter((variable) => variable.userViewable && variable.userEditable)
        .map((variable) => ({
          env: variable.env,
          name: variable.name,
          description: variable.description,
          default: variable.secret ? '' : variable.default,
          input: inputKind(variable),
        })),
    }),
  )
}
