import { useQuery } from '@tanstack/react-query'

interface Operation {
  readonly summary?: string
}
interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

async function summaries(): Promise<Readonly<Record<string, string>>> {
  const response = await fetch('/api/openapi.json')
  if (!response.ok) return {}
  const document: ApiDocument = await response.json()
  return Object.fromEntries(
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { summary }]) => [
        `${method.toUpperCase()} ${path}`,
        (summary ?? '').split(';', 1)[0] ?? '',
      ]),
    ),
  )
}

/** What an action is called: the sentence of the interface’s own description of its endpoint. */
export function useActionWords(): (action: string) => string {
  const { data } = useQuery({
    queryKey: ['summaries of the interface'],
    queryFn: summaries,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (action) => {
    const words = data?.[action] ?? ''
    if (words !== '') return words
    return action.charAt(0).toUpperCase() + action.slice(1)
  }
}
