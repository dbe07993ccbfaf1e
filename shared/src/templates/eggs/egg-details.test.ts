import { describe, expect, it } from 'vitest'
import { EXPORT_FORMATS, exportTemplate } from '../export-template.ts'
import { importTemplate } from '../import-template.ts'

const egg = (changes: object = {}, version = 'PTDL_v2'): Record<string, unknown> => ({
  meta: { version, update_url: null },
  name: 'Egg',
  author: 'someone@example.org',
  description: 'An egg',
  docker_images: { Main: 'example.org/image:1' },
  startup: './run {{MODE}}',
  config: { files: '{}', startup: '{"done": "ready"}', logs: '{}', stop: '^C' },
  scripts: { installation: { script: 'echo', container: 'debian:12', entrypoint: 'bash' } },
  variables: [{ name: 'Mode', env_variable: 'MODE', default_value: 'a', rules: 'required|in:a,b' }],
  ...changes,
})

function taken(source: unknown) {
  const result = importTemplate(source)
  if (!result.ok) throw new Error(JSON.stringify(result.faults))
  return result
}

describe('eggs', () => {
  it('rename a variable in their install script too, where its value is used', () => {
    const { document, warnings } = taken(
      egg({
        scripts: {
          installation: {
            script: `echo "$HOSTNAME" \${HOSTNAME} \${HOSTNAME:-x} $HOSTNAMES\nexport HOSTNAME=\${HOSTNAME,,}\nsed s/HOSTNAME/x/`,
            container: 'debian:12',
            entrypoint: 'bash',
          },
        },
        variables: [{ env_variable: 'HOSTNAME' }, { env_variable: 'MODE' }],
      }),
    )
    expect(document.runtime.install?.script).toBe(
      `echo "$SERVER_HOSTNAME" \${SERVER_HOSTNAME} \${SERVER_HOSTNAME:-x} $HOSTNAMES\nexport SERVER_HOSTNAME=\${SERVER_HOSTNAME,,}\nsed s/HOSTNAME/x/`,
    )
    expect(warnings.map((warning) => warning.detail)).toContainEqual(
      expect.stringContaining('still says HOSTNAME'),
    )
  })

  it('that edit every line of a file by an empty match keep that edit, and only lines have one', () => {
    const files = {
      'settings/port.ini': { parser: 'file', find: { '': '{{server.build.default.port}}' } },
      'a.json': { parser: 'json', find: { '': 'x' } },
    }
    const { document, warnings } = taken(egg({ config: { stop: '^C', files } }))
    expect(document.runtime.configFiles.map((file) => file.edits)).toEqual([
      [{ match: '', value: '{{server.port}}' }],
      [],
    ])
    expect(warnings).toHaveLength(1)
  })

  it('get a warning for each placeholder that nobody declares', () => {
    const { warnings } = taken(
      egg({
        startup: './run {{MODE}} {{SERVER_PORT}} {{GONE}}',
        config: {
          stop: 'say {{AWAY}}',
          files: { 'a.ini': { parser: 'ini', find: { a: '{{env.LOST}}' } } },
        },
      }),
    )
    expect(warnings.map(({ path, detail }) => [path, /\{\{\w+/.exec(detail)?.[0]])).toEqual([
      ['startup.Default', '{{GONE'],
      ['config.stop', '{{AWAY'],
      ['config.files.a.ini.a', '{{LOST'],
    ])
  })

  it('do not mask a switch or a choice for having PASSWORD in its name', () => {
    const { document } = taken(
      egg({
        startup: './run',
        variables: [
          { env_variable: 'PASSWORD_ENABLED', default_value: '0', rules: 'required|in:0,1' },
          { env_variable: 'PASSWORD_MODE', default_value: 'off', rules: 'in:off,on,ask' },
          { env_variable: 'PASSWORD', rules: 'string' },
        ],
      }),
    )
    expect(document.variables.map((variable) => variable.secret)).toEqual([false, false, true])
  })

  it('get a warning for each default that breaks its own rules', () => {
    const { document, warnings } = taken(
      egg({
        variables: [
          { env_variable: 'MODE', default_value: 'c', rules: 'required|in:a,b' },
          { env_variable: 'GIVEN_LATER', default_value: '', rules: 'required' },
        ],
      }),
    )
    expect(document.variables[0]?.default).toBe('c')
    expect(warnings).toEqual([
      {
        path: 'variables.0.default_value',
        detail: 'The default of MODE breaks its own rules: it must be one of "a", "b"',
      },
    ])
  })

  it('keep an icon whose label names another type than its bytes, under its true type', () => {
    const png =
      'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACAQMAAACnuvRZAAAABlBMVEX/AAD///9BHTQRAAAADElEQVQI12NgYGAAAAAEAAEnNCcKAAAAAElFTkSuQmCC'
    const { document, warnings } = taken(
      egg({ icon: `data:image/jpeg;base64,${png}`, tags: [] }, 'PLCN_v3'),
    )
    expect(document.icon).toBe(`data:image/png;base64,${png}`)
    expect(warnings).toContainEqual({
      path: 'icon',
      detail: 'The icon is image/png and is now labelled so',
    })
  })

  it('keep the name of a picture that Lodge draws, in every format, and never take it from a stranger', () => {
    const { document } = taken(egg({ tags: [] }, 'PLCN_v3'))
    for (const format of EXPORT_FORMATS) {
      const { value } = exportTemplate({ ...document, icon: 'rail' }, format, new Date(0))
      expect(taken(value).document.icon).toBe('rail')
      // Other panels read this field as a picture.
      if (format !== 'lodge') expect(value).not.toHaveProperty('icon')
    }
    expect(taken(egg({ icon: 'rail' }, 'PLCN_v3')).document.icon).toBeUndefined()
  })
})
