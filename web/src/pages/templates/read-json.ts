/** The value of a JSON text, or its syntax error. */
export function readJson(text: string): { readonly value: unknown; readonly fault?: string } {
  try {
    return { value: JSON.parse(text) }
  } catch (error) {
    return { value: undefined, fault: error instanceof Error ? error.message : String(error) }
  }
}
