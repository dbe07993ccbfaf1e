import type { Call } from '../../../command/call.ts'
import { curlOf, scopeOf } from '../../../command/curl.ts'
import { TOKEN_SCOPES } from '../../../command/token-scopes.ts'
import { CommandBox } from '../../data/copy.tsx'
import { Column, Text } from '../../page/layout.tsx'
import { t } from './words.ts'

/** One call as a command to copy, with its prerequisites. */
export default function CommandView({ call, title }: { call: Call; title?: string }) {
  const scope = scopeOf(call, TOKEN_SCOPES)
  return (
    <Column gap={8}>
      {title === undefined ? null : <Text strong>{title}</Text>}
      <CommandBox
        command={curlOf(call, location.origin, TOKEN_SCOPES)}
        label={title === undefined ? t.command : t.commandOf({ action: title })}
      />
      <Text small muted>
        {scope === undefined ? t.bySession : t.byToken({ scope })}
      </Text>
    </Column>
  )
}
