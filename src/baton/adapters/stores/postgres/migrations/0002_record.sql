-- Small facts that all processes share.
CREATE TABLE record (
  key        text COLLATE "C" PRIMARY KEY,
  body       text NOT NULL,
  version    bigint NOT NULL,
  updated_at bigint NOT NULL
);
