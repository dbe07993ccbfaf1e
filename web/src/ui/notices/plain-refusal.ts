/** Something that was refused outside of the API, such as by the browser; its message says it all. */
export class PlainRefusal extends Error {
  override readonly name = 'PlainRefusal'
}
