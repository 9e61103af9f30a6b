/** What the server answers instead of a result. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    words: string,
  ) {
    super(words)
    this.name = 'Refusal'
  }
}
