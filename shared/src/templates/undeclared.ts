import type { DocumentNote } from './checked-document.ts'
import type { TemplateDocument } from './document.ts'
import { variableNamesIn } from './placeholders.ts'
import { RESERVED_NAMES } from './reserved-names.ts'

/**
 * Placeholders of variables that nobody declares: they stay in the text unchanged. One note for
 * each occurrence.
 */
export function undeclaredPlaceholders(document: TemplateDocument): DocumentNote[] {
  const declared = new Set([
    ...RESERVED_NAMES,
    ...Object.keys(document.runtime.environment),
    ...document.variables.flatMap(({ env }) => [env, env.toUpperCase()]),
  ])
  return textsOf(document).flatMap(({ path, text }) =>
    [...new Set(variableNamesIn(text))]
      .filter((name) => !declared.has(name) && !/^SERVER_PORT_\d{1,2}$/.test(name))
      .map((name) => ({
        path,
        detail: `{{${name.slice(0, 80)}}} is no variable of this template and stays as it is: declare it or take it out`,
      })),
  )
}

/** Every text of a document that is filled in for a server. */
function textsOf({ runtime, connection }: TemplateDocument): { path: string; text: string }[] {
  const at = (path: string, text: unknown) => (typeof text === 'string' ? [{ path, text }] : [])
  return [
    ...(connection ?? []).flatMap((text, index) => at(`connection.${index}`, text)),
    ...(runtime.startup.kind === 'text'
      ? runtime.startup.commands.flatMap(({ name, text }) => at(`startup.${name}`, text))
      : runtime.startup.command.flatMap((word, index) => at(`startup.${index}`, word))),
    ...Object.entries(runtime.environment).flatMap(([name, text]) =>
      at(`environment.${name}`, text),
    ),
    ...runtime.proofOfLife.patterns.flatMap(({ kind, value }) =>
      kind === 'text' ? at('config.startup.done', value) : [],
    ),
    ...runtime.stop.flatMap((step) =>
      step.kind === 'command' ? at('config.stop', step.text) : [],
    ),
    ...runtime.configFiles.flatMap((file) => [
      ...at(`config.files.${file.path}`, file.path),
      ...file.edits.flatMap(({ match, value }) => [
        ...at(`config.files.${file.path}.${match}`, match),
        ...at(`config.files.${file.path}.${match}`, value),
      ]),
    ]),
  ]
}
