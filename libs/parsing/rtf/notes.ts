import type { Page } from './page'

export class Notes {
  readonly texts: string[] = []
  readonly margins: string[] = []
  private readonly begun: { kind: string; page: Page }[] = []

  get areOpen(): boolean {
    return this.begun.length > 0
  }

  begin(kind: string, page: Page): void {
    this.begun.push({ kind, page })
  }

  /** Returns the page on which the note began. If the note has text, its mark is added to that page. */
  end(note: Page): Page {
    const begun = this.begun.pop()
    if (!begun) return note
    const text = note.text().replace(/\s+/g, ' ').trim()
    if (/^(?:head|foot)er/.test(begun.kind)) this.margins.push(text)
    else if (text !== '') {
      this.texts.push(`[^${this.texts.length + 1}]: ${begun.kind === 'annotation' ? 'Comment: ' : ''}${text}`)
      begun.page.add(`[^${this.texts.length}]`, false)
    }
    return begun.page
  }
}
