export * from './read-asciidoc'
