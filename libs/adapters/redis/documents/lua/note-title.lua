--[[
Counts the documents that have the same title. A document without a title, or without an entry in the collection's list,
is removed from the counts. The ingestor adds the file name to a title that several documents share.
KEYS[1] catalog:{<tenant>}:documents:<collection>   KEYS[2] catalog:{<tenant>}:headings:<collection>:titles
        Field d:<id>: the digest of the document's title. Field t:<digest>: the number of documents with that title,
        a space, and the id of the document whose title was indexed without its file name, or nothing.
ARGV[1] document id   ARGV[2] digest of its title, or ''   ARGV[3] '1' if the document has a file
Returns {1 if other documents have the same title, else 0; the id of another document to index again, or ''}.
]]
local id, digest = ARGV[1], ARGV[2]
if not redis.call('ZSCORE', KEYS[1], id) then digest = '' end
local function read(title)
  local count, alone = string.match(redis.call('HGET', KEYS[2], 't:' .. title) or '0 ', '^(%d+) (.*)$')
  return tonumber(count), alone
end
local function write(title, count, alone)
  if count < 1 then return redis.call('HDEL', KEYS[2], 't:' .. title) end
  redis.call('HSET', KEYS[2], 't:' .. title, count .. ' ' .. alone)
end
local before = redis.call('HGET', KEYS[2], 'd:' .. id)
if before and before ~= digest then
  local count, alone = read(before)
  write(before, count - 1, alone == id and '' or alone)
  redis.call('HDEL', KEYS[2], 'd:' .. id)
end
if digest == '' then return { 0, '' } end
local count, alone = read(digest)
if before ~= digest then
  count = count + 1
  redis.call('HSET', KEYS[2], 'd:' .. id, digest)
end
if count == 1 then
  write(digest, count, ARGV[3] == '1' and id or '')
  return { 0, '' }
end
if alone == id then alone = '' end
write(digest, count, alone)
return { 1, alone }
