create table CLUSTER_LEASE (
  DOMAIN_NAME varchar(255) not null,
  CLUSTER_NAME varchar(255) not null,
  LEASE_NAME varchar(255) not null,
  OWNER varchar(255),
  OWNER_INSTANCE varchar(255),
  FENCE_EPOCH bigint not null,
  FENCE bigint not null,
  EXPIRES_AT timestamp(6) with time zone,
  RENEWED_AT timestamp(6) with time zone,
  STATE varchar(16) not null,
  PREFERRED varchar(255),
  TRANSITIONS bigint not null,
  primary key (DOMAIN_NAME, CLUSTER_NAME, LEASE_NAME)
);

create table CLUSTER_LOG (
  DOMAIN_NAME varchar(255) not null,
  CLUSTER_NAME varchar(255) not null,
  SEQ bigint not null,
  REQUEST_ID varchar(64) not null,
  PROPOSER varchar(255) not null,
  WRITTEN_AT timestamp(6) with time zone not null,
  ENTRY bytea not null,
  primary key (DOMAIN_NAME, CLUSTER_NAME, SEQ),
  unique (DOMAIN_NAME, CLUSTER_NAME, REQUEST_ID)
);

create table CLUSTER_SNAPSHOT (
  DOMAIN_NAME varchar(255) not null,
  CLUSTER_NAME varchar(255) not null,
  SEQ bigint not null,
  WRITTEN_AT timestamp(6) with time zone not null,
  STATE bytea not null,
  primary key (DOMAIN_NAME, CLUSTER_NAME)
);
