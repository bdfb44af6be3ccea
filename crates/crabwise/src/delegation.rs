//! What would be written once for each method or each error, and is always the same.

/// Methods that hand on to those of the same name of a field.
macro_rules! hands_on {
    (to $field:tt: $($name:ident($($argument:ident: $type:ty),*) -> $result:ty;)*) => {$(
        fn $name(&self, $($argument: $type),*) -> $result {
            self.$field.$name($($argument),*)
        }
    )*};
}

/// Errors that another error holds.
macro_rules! holds {
    ($outer:ident: $($inner:ty => $variant:ident),*) => {$(
        impl From<$inner> for $outer {
            fn from(inner: $inner) -> $outer {
                $outer::$variant(inner)
            }
        }
    )*};
}
